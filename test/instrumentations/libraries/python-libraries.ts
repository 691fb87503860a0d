import type { Library } from './library.js';

const FINAL_TEXT = 'It is 12 degrees in Oslo.';
const TOTALS = { prompt_tokens: 1234, completion_tokens: 57, total_tokens: 1291 };
const CACHED = { ...TOTALS, cache_read_input_tokens: 1024 };
const TOKENS = { ...CACHED, reasoning_tokens: 16 };
const OPENAI = { model: 'gpt-4o', provider: 'openai', tokens: TOKENS, finalText: FINAL_TEXT };
const ANTHROPIC = {
  python: 'instrumentations',
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  tokens: CACHED,
  finalText: FINAL_TEXT,
} as const;
const CALLS = { ofCall: 'tool_calls', ofFinal: 'stop' };

/** Libraries of Python whose programs are in `python/libraries`. */
export const PYTHON_LIBRARIES: readonly Library[] = [
  {
    ...ANTHROPIC,
    packages: ['openinference-instrumentation-anthropic'],
    program: ['anthropic_client.py', 'openinference'],
    finish: { ofCall: 'tool_use', ofFinal: 'end_turn' },
  },
  {
    ...ANTHROPIC,
    packages: ['opentelemetry-instrumentation-anthropic'],
    program: ['anthropic_client.py', 'openllmetry'],
    finish: { ofCall: 'tool_call', ofFinal: 'stop' },
  },
  {
    ...ANTHROPIC,
    packages: ['opentelemetry-instrumentation-genai-anthropic'],
    program: ['anthropic_client.py', 'genai'],
    finish: { ofCall: 'tool_call', ofFinal: 'stop' },
  },
  {
    packages: ['opentelemetry-instrumentation-google-genai'],
    python: 'instrumentations',
    program: ['gemini_client.py'],
    model: 'gemini-2.5-flash',
    provider: 'gcp.gemini',
    tokens: TOKENS,
    finalText: FINAL_TEXT,
  },
  {
    ...OPENAI,
    packages: ['openinference-instrumentation-langchain'],
    python: 'instrumentations',
    program: ['langchain_agent.py', 'openinference'],
    model: 'gpt-4o-2026-08-06',
    finish: CALLS,
    tool: { inputs: { value: 'Oslo' }, outputs: expect.anything() as object },
    steps: [
      {
        ...{ event_name: 'ChatPromptTemplate', config: { template: 'Be {style}.' } },
        inputs: { style: 'brief', city: 'Oslo', variables: { style: 'brief' } },
      },
    ],
  },
  {
    ...OPENAI,
    packages: ['opentelemetry-instrumentation-langchain'],
    python: 'instrumentations',
    program: ['langchain_agent.py', 'openllmetry'],
    tokens: CACHED,
    finish: { ofCall: 'tool_call', ofFinal: 'stop' },
    tool: { inputs: expect.anything() as object, outputs: expect.anything() as object },
  },
  {
    ...OPENAI,
    packages: ['langsmith'],
    python: 'instrumentations',
    program: ['langchain_agent.py', 'langsmith'],
    finish: CALLS,
    tool: { inputs: { city: 'Oslo' }, outputs: expect.anything() as object },
  },
  {
    ...OPENAI,
    packages: ['langfuse'],
    python: 'instrumentations',
    program: ['langfuse_client.py'],
    model: 'gpt-4o-2026-08-06',
    provider: undefined,
    tool: { inputs: { args: [], kwargs: { city: 'Oslo' } }, outputs: { value: '12 degrees' } },
    user: 'user-9',
  },
  {
    ...OPENAI,
    packages: ['pydantic-ai-slim'],
    python: 'instrumentations',
    program: ['pydantic_ai_agent.py'],
    tool: { inputs: { city: 'Oslo' }, outputs: { value: '12 degrees' } },
  },
  {
    ...OPENAI,
    packages: ['openinference-instrumentation-smolagents', 'smolagents'],
    python: 'instrumentations',
    program: ['smolagents_agent.py'],
    tokens: TOTALS,
    finalText: undefined,
    tool: {
      inputs: { args: [], sanitize_inputs_outputs: true, kwargs: { city: 'Oslo' } },
      outputs: { value: '12 degrees' },
    },
  },
  {
    ...OPENAI,
    packages: ['mlflow-tracing'],
    python: 'instrumentations',
    program: ['mlflow_client.py'],
    model: 'gpt-4o-2026-08-06',
    provider: undefined,
    tokens: CACHED,
    tool: { inputs: { city: 'Oslo' }, outputs: { value: '12 degrees' } },
  },
  {
    ...OPENAI,
    packages: ['litellm'],
    python: 'instrumentations',
    program: ['litellm_client.py'],
    finish: CALLS,
  },
  {
    ...OPENAI,
    packages: ['strands-agents'],
    python: 'frameworks',
    program: ['strands_agent.py'],
    provider: undefined,
    tokens: CACHED,
    finish: { ofCall: 'tool_use', ofFinal: 'end_turn' },
    tool: { inputs: { city: 'Oslo' }, outputs: { value: [{ text: '12 degrees' }] } },
  },
  {
    ...OPENAI,
    packages: ['openinference-instrumentation-llama-index'],
    python: 'frameworks',
    program: ['llama_index_agent.py'],
    tokens: undefined,
    finish: CALLS,
    tool: { inputs: { kwargs: { city: 'Oslo' } }, outputs: expect.anything() as object },
  },
  {
    ...OPENAI,
    packages: ['openinference-instrumentation-crewai', 'openinference-instrumentation-openai'],
    python: 'frameworks',
    program: ['crewai_crew.py'],
    model: 'gpt-4o-2026-08-06',
    finish: CALLS,
    tool: { inputs: { city: 'Oslo' }, outputs: { value: '12 degrees' } },
  },
  {
    packages: ['google-adk'],
    python: 'agents',
    program: ['google_adk_agent.py'],
    model: 'gemini-2.5-flash',
    provider: 'gcp.gemini',
    tokens: TOKENS,
    finalText: FINAL_TEXT,
    tool: { inputs: { city: 'Oslo' }, outputs: { result: '12 degrees' } },
    steps: [{ event_name: 'execute_tool (merged)', event_type: 'chain' }],
  },
];
