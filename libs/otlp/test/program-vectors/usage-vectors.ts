import { call, type ProgramVector } from '../arrival.js';

const json = JSON.stringify;
const langfuse = (usage: object, more: object = {}) => ({
  ...{ 'langfuse.observation.type': 'generation', 'langfuse.observation.model.name': 'gpt-4o' },
  'langfuse.observation.usage_details': json(usage),
  ...more,
});
const counts = (prompt: number, completion: number, more: object = {}) => ({
  event_type: 'model',
  metadata: {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...more,
  },
});
const CACHED = { cache_read_input_tokens: 64, reasoning_tokens: 20 };
const GEMINI = {
  ...{ prompt_token_count: 40, candidates_token_count: 4, thoughts_token_count: 16 },
  ...{ tool_use_prompt_token_count: 5, cached_content_token_count: 8 },
};
const adk = (usage: object) => ({
  ...{ 'gen_ai.system': 'gcp.vertex.agent', 'gen_ai.request.model': 'gemini-2.5-flash' },
  'gcp.vertex.agent.llm_request': json({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
  'gcp.vertex.agent.llm_response': json({ content: { parts: [{ text: 'yo' }] }, usage_metadata: usage }),
});

/** Token counts and costs in the spellings of providers, frameworks and gateways. */
export const usageVectors: readonly ProgramVector[] = [
  call(
    'counts of chat completions, with details that reach the price',
    langfuse({
      ...{ prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 20 },
    }),
    counts(120, 30, { ...CACHED, cost: 0.00052, cost_source: 'estimated' }),
  ),
  call(
    'counts of the responses API',
    langfuse({
      ...{ input_tokens: 120, output_tokens: 30, total_tokens: 150 },
      input_tokens_details: { cached_tokens: 64 },
      output_tokens_details: { reasoning_tokens: 20 },
    }),
    counts(120, 30, { ...CACHED, cost: 0.00052 }),
  ),
  call(
    "Anthropic's counts, which exclude the cache",
    langfuse({
      ...{ input_tokens: 12, cache_read_input_tokens: 900, cache_creation_input_tokens: 100 },
      output_tokens: 40,
    }),
    counts(1_012, 40, { cache_read_input_tokens: 900, cache_creation_input_tokens: 100 }),
  ),
  call(
    'buckets beside each other, whose sum is the total',
    langfuse({ input: 56, input_cached_tokens: 64, output: 10, output_reasoning_tokens: 20, total: 150 }),
    counts(120, 30, CACHED),
  ),
  call("Bedrock's counts", langfuse({ inputTokens: 21, outputTokens: 4, totalTokens: 25 }), counts(21, 4)),
  call(
    "Cohere's counts, beside what was billed",
    langfuse({
      billed_units: { input_tokens: 3, output_tokens: 2 },
      tokens: { input_tokens: 31, output_tokens: 6 },
    }),
    counts(31, 6),
  ),
  call(
    "LangChain's counts",
    {
      ...{ 'langsmith.span.kind': 'llm', 'gen_ai.request.model': 'gpt-4o' },
      'langsmith.metadata.usage_metadata': json({
        ...{ input_tokens: 120, output_tokens: 30, total_tokens: 150 },
        ...{ input_token_details: { cache_read: 64 }, output_token_details: { reasoning: 20 } },
      }),
    },
    counts(120, 30, CACHED),
  ),
  call(
    "MLflow's counts",
    {
      ...{ 'mlflow.spanType': '"LLM"', 'mlflow.llm.model': '"gpt-4o"' },
      'mlflow.chat.tokenUsage': json({
        ...{ input_tokens: 120, output_tokens: 30, total_tokens: 150, cache_read_input_tokens: 64 },
      }),
    },
    counts(120, 30, { cache_read_input_tokens: 64 }),
  ),
  call(
    'counts with their parts in the objects of the newest Vercel providers',
    langfuse({
      inputTokens: { total: 120, noCache: 56, cacheRead: 64, cacheWrite: 0 },
      outputTokens: { total: 30, text: 10, reasoning: 20 },
    }),
    counts(120, 30, CACHED),
  ),
  call(
    'counts with their details in objects beside them',
    langfuse({
      ...{ inputTokens: 120, outputTokens: 30, totalTokens: 150 },
      inputTokenDetails: { noCacheTokens: 56, cacheReadTokens: 64 },
      outputTokenDetails: { textTokens: 10, reasoningTokens: 20 },
    }),
    counts(120, 30, CACHED),
  ),
  call(
    "a cache beside the input and beside the total, as MLflow sends Anthropic's counts",
    {
      ...{ 'mlflow.spanType': '"LLM"', 'mlflow.llm.model': '"claude-sonnet-4-5"' },
      'mlflow.chat.tokenUsage': json({
        ...{ input_tokens: 12, output_tokens: 40, total_tokens: 52 },
        ...{ cache_read_input_tokens: 900, cache_creation_input_tokens: 100 },
      }),
    },
    counts(1_012, 40, { cache_read_input_tokens: 900, cache_creation_input_tokens: 100 }),
  ),
  call(
    'reasoning beside the output, within the total',
    langfuse({ prompt_tokens: 10, completion_tokens: 5, reasoning_tokens: 100, total_tokens: 115 }),
    counts(10, 105, { reasoning_tokens: 100 }),
  ),
  call(
    'experimental names of the Agent Development Kit',
    {
      ...{ 'gen_ai.operation.name': 'generate_content', 'gen_ai.request.model': 'gemini-2.5-flash' },
      ...{ 'gen_ai.usage.input_tokens': 20, 'gen_ai.usage.output_tokens': 2 },
      'gen_ai.usage.experimental.reasoning_tokens': 30,
      'gen_ai.usage.experimental.cached_tokens': 4,
    },
    counts(20, 32, { reasoning_tokens: 30, cache_read_input_tokens: 4 }),
  ),
  call(
    "Semantic Kernel's counts",
    {
      ...{ 'gen_ai.operation.name': 'chat.completions', 'gen_ai.request.model': 'gpt-4o' },
      ...{ 'gen_ai.response.prompt_tokens': 10, 'gen_ai.response.completion_tokens': 5 },
    },
    counts(10, 5),
  ),
  call(
    "DeepSeek's counts",
    langfuse({ prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, prompt_cache_hit_tokens: 64 }),
    counts(100, 5, { cache_read_input_tokens: 64 }),
  ),
  call(
    'a cost among the counts, as a gateway reports it',
    langfuse({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.25 }),
    counts(10, 5, { cost: 0.25 }),
  ),
  call(
    'costs whose total has another name',
    langfuse(
      { input: 10, output: 5 },
      {
        'langfuse.observation.cost_details': json({ input_cost: 0.25, output_cost: 0.5, total_cost: 0.75 }),
      },
    ),
    counts(10, 5, { cost: 0.75 }),
  ),
  call(
    'costs in parts',
    langfuse(
      { input: 10, output: 5 },
      { 'langfuse.observation.cost_details': json({ input: 0.25, output: 0.5 }) },
    ),
    counts(10, 5, { cost: 0.75 }),
  ),
  call(
    "Gemini's counts with thoughts and tool prompts beside them",
    adk({ ...GEMINI, total_token_count: 65 }),
    counts(45, 20, { reasoning_tokens: 16, cache_read_input_tokens: 8 }),
  ),
  call('a total that its parts do not explain', adk({ ...GEMINI, total_token_count: 1_000 }), {
    metadata: { total_tokens: 1_000, usage_unreconciled: true },
  }),
  call(
    'names of cached and reasoning counts of the Sentry SDK',
    {
      ...{ 'sentry.op': 'gen_ai.chat', 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
      ...{ 'gen_ai.usage.input_tokens': 700, 'gen_ai.usage.output_tokens': 50 },
      ...{ 'gen_ai.usage.input_tokens.cached': 512, 'gen_ai.usage.input_tokens.cache_write': 64 },
      'gen_ai.usage.output_tokens.reasoning': 33,
    },
    counts(700, 50, {
      ...{ cache_read_input_tokens: 512, cache_creation_input_tokens: 64, reasoning_tokens: 33 },
    }),
  ),
  call(
    'latencies in seconds of a model server',
    {
      ...{
        'gen_ai.response.model': 'qwen3',
        'gen_ai.usage.prompt_tokens': 9,
        'gen_ai.usage.completion_tokens': 3,
      },
      ...{ 'gen_ai.latency.time_to_first_token': 0.125, 'gen_ai.latency.time_in_queue': 0.5 },
    },
    counts(9, 3, { time_to_first_token_ms: 125 }),
  ),
  call(
    'a time to the first token in nanoseconds',
    {
      ...{ 'gen_ai.span.kind': 'LLM', 'gen_ai.framework': 'dify', 'gen_ai.request.model': 'qwen-max' },
      'gen_ai.response.time_to_first_token': 350_000_000,
    },
    { event_type: 'model', metadata: { time_to_first_token_ms: 350 } },
  ),
];
