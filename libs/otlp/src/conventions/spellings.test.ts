import { mapAttributes } from '../../test/map-one.js';
import { CONVENTIONS } from './catalogue.js';
import { FRAMEWORKS, plainName, PROVIDER_SPELLINGS } from './providers.js';
import type { Reader } from './rule.js';
import { USAGE_NAMES } from './usage-object.js';

type Kinds = Readonly<Record<string, readonly string[]>>;

/** Names of each event type by the attribute that states them. */
const KINDS: Readonly<Record<string, Kinds>> = {
  'gen_ai.operation.name': {
    model: [
      ...[
        'chat',
        'text_completion',
        'generate_content',
        'completion',
        'acompletion',
        'generate',
        'responses',
      ],
      ...['aresponses', 'message', 'messages', 'text-generation', 'speech', 'tts', 'stt', 'transcription'],
      ...['image_generation', 'embeddings', 'embedding', 'aembedding', 'fetch_response'],
      ...['llm_request', 'llm_response', 'chat.completions', 'chat.streaming_completions'],
      ...['text.completions', 'text.streaming_completions'],
    ],
    chain: [
      ...['invoke_agent', 'create_agent', 'invoke_workflow', 'plan', 'agent_step', 'execute_task', 'handoff'],
      ...['conversation', 'agent_run', 'user_input', 'agent_output', 'agent_error', 'llm_setup'],
    ],
    tool: [
      ...[
        'execute_tool',
        'retrieval',
        'rerank',
        'vector_db_retrieve',
        'create_memory',
        'create_memory_store',
      ],
      ...['delete_memory', 'delete_memory_store', 'search_memory', 'update_memory', 'upsert_memory'],
      ...['agent_action', 'llm_tool_call', 'llm_tool_result'],
    ],
  },
  'sentry.op': {
    model: [
      ...['gen_ai.chat', 'gen_ai.generate_content', 'gen_ai.embeddings', 'gen_ai.responses'],
      'gen_ai.text_completion',
    ],
    chain: ['gen_ai.invoke_agent', 'gen_ai.create_agent', 'gen_ai.handoff'],
    tool: ['gen_ai.execute_tool'],
  },
  honeyhive_event_type_raw: {
    model: ['model', 'llm', 'generation', 'embedding'],
    tool: ['tool', 'function', 'retriever'],
    chain: ['chain', 'agent', 'workflow', 'task', 'span'],
    session: ['session'],
  },
  honeyhive_event_type: { model: ['model'], tool: ['tool'], chain: ['chain'], session: ['session'] },
  'braintrust.span_attributes.type': {
    model: ['llm'],
    tool: ['tool', 'function', 'function_call', 'score', 'retrieval'],
    chain: ['task', 'eval', 'automation', 'preprocessor', 'facet', 'classifier'],
  },
  'span.type': {
    model: ['llm_request'],
    tool: ['tool'],
    chain: ['interaction', 'tool.execution', 'tool.blocked_on_user', 'hook'],
  },
  'mastra.span.type': {
    model: ['model_generation', 'llm_generation'],
    tool: ['tool_call', 'mcp_tool_call'],
    chain: [
      ...[
        'model_step',
        'model_chunk',
        'llm_chunk',
        'agent_run',
        'processor_run',
        'workflow_run',
        'workflow_step',
      ],
      ...['workflow_conditional', 'workflow_conditional_eval', 'workflow_parallel', 'workflow_loop'],
      ...['workflow_sleep', 'workflow_wait_event', 'generic'],
    ],
  },
  'mlflow.spanType': {
    model: ['llm', 'chat_model', 'embedding'],
    chain: ['chain', 'agent', 'parser', 'workflow', 'task'],
    tool: ['tool', 'retriever', 'reranker', 'memory', 'guardrail', 'evaluator'],
  },
  'ai.operationId': {
    model: [
      ...['ai.generateText.doGenerate', 'ai.streamText.doStream', 'ai.generateObject.doGenerate'],
      ...['ai.streamObject.doStream', 'ai.embed.doEmbed', 'ai.embedMany.doEmbed'],
    ],
    chain: [
      ...['ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject', 'ai.harness'],
      ...['ai.workflowAgent.stream', 'ai.embed', 'ai.embedMany', 'ai.rerank'],
    ],
    tool: ['ai.rerank.doRerank', 'ai.toolCall'],
  },
  'ag2.span.type': { chain: ['conversation', 'agent', 'handoff'], model: ['llm'], tool: ['tool'] },
  'agentops.span.kind': {
    model: ['llm', 'text'],
    tool: ['tool', 'guardrail', 'http'],
    chain: ['session', 'workflow', 'task', 'operation', 'agent', 'chain', 'team'],
  },
  'genkit:metadata:subtype': {
    model: ['model', 'embedder'],
    tool: ['tool', 'retriever', 'evaluator'],
    chain: ['flow'],
  },
  'lmnr.span.type': {
    model: ['llm', 'cached'],
    tool: ['tool', 'evaluator', 'human_evaluator'],
    chain: ['pipeline', 'executor', 'evaluation'],
  },
  'langwatch.span.type': {
    model: ['llm'],
    tool: ['tool', 'rag', 'guardrail', 'evaluation'],
    chain: ['chain', 'agent', 'workflow', 'component', 'module', 'server', 'task'],
  },
  'langfuse.observation.type': {
    model: ['generation', 'embedding'],
    chain: ['agent', 'chain', 'event', 'span'],
    tool: ['tool', 'retriever', 'guardrail', 'evaluator'],
  },
  'langsmith.span.kind': {
    model: ['llm', 'embedding'],
    chain: ['chain', 'parser'],
    tool: ['tool', 'retriever', 'prompt'],
  },
  'openinference.span.kind': {
    model: ['llm', 'embedding'],
    chain: ['chain', 'agent', 'decision'],
    tool: ['tool', 'retriever', 'reranker', 'guardrail', 'evaluator', 'prompt'],
  },
  'traceloop.span.kind': { chain: ['workflow', 'task', 'agent', 'session', 'handoff'], tool: ['tool'] },
  'llm.request.type': { model: ['chat', 'completion', 'embedding'], tool: ['rerank'] },
  'spring.ai.kind': { chain: ['chat_client', 'advisor'], tool: ['tool_call', 'vector_store'] },
  'gen_ai.span.kind': {
    model: ['llm', 'embedding'],
    chain: ['chain', 'agent', 'task', 'step', 'entry', 'workflow'],
    tool: ['tool', 'retriever', 'reranker', 'memory', 'guardrail'],
  },
};

const tableNames = (read: Reader | undefined): readonly string[] =>
  read !== undefined && 'names' in read ? (read.names as readonly string[]) : [];
const sentNames = (key: string): string[] =>
  CONVENTIONS.flatMap(({ rules }) => rules)
    .filter((rule) => rule.key === key)
    .flatMap((rule) => [rule, ...(rule.also ?? [])].flatMap(({ read }) => tableNames(read)));

describe.each(Object.entries(KINDS))('the kinds of %s', (key, types) => {
  const cases = Object.entries(types).flatMap(([type, names]) => names.map((name) => [name, type] as const));

  it.each(cases)('%s is a %s, in any case of letters', (name, type) => {
    expect(mapAttributes({ [key]: name }).event_type).toBe(type);
    expect(mapAttributes({ [key]: name.toUpperCase() }).event_type).toBe(type);
  });

  it('all have a case', () => {
    const cased = new Set(cases.map(([name]) => name.toLowerCase()));
    expect(sentNames(key).length).toBeGreaterThan(0);
    expect(sentNames(key).filter((name) => !cased.has(name))).toEqual([]);
  });
});

/** Names of the conventions by the spellings that libraries, gateways and vendors use. */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  'azure.ai.inference': ['az.ai.inference', 'azure_ai'],
  'azure.ai.openai': ['az.ai.openai', 'azure', 'azure_openai', 'AzureOpenAI', 'azure-openai'],
  'aws.bedrock': [
    ...['aws', 'amazon-bedrock', 'amazon.bedrock', 'bedrock', 'AWS Bedrock', 'aws_bedrock'],
    'bedrock_converse',
  ],
  'gcp.gen_ai': ['google', 'google_genai', 'google.generative-ai'],
  'gcp.gemini': ['gemini', 'googleai', 'google-gla'],
  'gcp.vertex_ai': [
    ...['vertex_ai', 'vertexai', 'gcp.vertex.agent', 'google-vertex', 'google_vertexai'],
    ...['google.vertex.chat', 'anthropic_vertex'],
  ],
  'ibm.watsonx.ai': ['watsonx', 'ibm-watsonx', 'IBM'],
  mistral_ai: ['mistral', 'mistralai', 'mistral-ai'],
  moonshot_ai: ['moonshot', 'moonshotai'],
  x_ai: ['xai', 'xai.chat'],
};
/** Frameworks as they name themselves in the place of a provider. */
const FRAMEWORK_NAMES = [
  ...[
    'strands-agents',
    'strands',
    'langchain',
    'LangGraph',
    'langflow',
    'flowise',
    'dify',
    'haystack',
    'dspy',
  ],
  ...[
    'microsoft.copilot_studio',
    'microsoft.agent_framework',
    'microsoft.semantic_kernel',
    'semantic-kernel',
  ],
  ...[
    'SemanticKernel',
    'promptflow',
    'AutoGen',
    'autogen-core',
    'autogen_agentchat',
    'ag2',
    'CrewAI',
    'camel',
  ],
  ...['metagpt', 'agentscope', 'agno', 'letta', 'smolagents', 'llama-index', 'LlamaIndex', 'spring_ai'],
  ...[
    'langchain4j',
    'pydantic-ai',
    'openai_agents',
    'openai-agents-python',
    'claude-agent-sdk',
    'google-adk',
  ],
  ...[
    'genkit',
    'mastra',
    'beeai',
    'livekit',
    'pipecat',
    'ai-sdk',
    'vercel_ai_sdk',
    'vercel.ai',
    'n8n',
    'litellm',
  ],
  ...['mlflow', 'opik', 'koog', 'bedrock-agentcore', 'browser-use', 'copilotkit', 'instructor'],
];

describe('providers', () => {
  const cases = Object.entries(PROVIDERS).flatMap(([provider, names]) =>
    names.map((name) => [name, provider] as const),
  );

  it.each(cases)('%s is %s, and what was sent is kept', (name, provider) => {
    const { config, metadata } = mapAttributes({ 'gen_ai.provider.name': name });
    expect(config).toEqual({ provider });
    expect(metadata['system']).toBe(name);
  });

  it.each(Object.keys(PROVIDERS))('%s is its own spelling', (provider) => {
    const { config, metadata } = mapAttributes({ 'gen_ai.provider.name': provider });
    expect(config).toEqual({ provider });
    expect(metadata).not.toHaveProperty('system');
  });

  it.each(['openrouter', 'together_ai', 'hugging_face', 'a provider with a long name '.repeat(10).trim()])(
    '%s is unknown, and unchanged',
    (provider) => expect(mapAttributes({ 'gen_ai.provider.name': provider }).config).toEqual({ provider }),
  );

  it('all spellings have a case', () => {
    const cased = new Set(cases.map(([name]) => plainName(name)));
    expect(Object.keys(PROVIDER_SPELLINGS).filter((name) => !cased.has(name))).toEqual([]);
  });

  it.each(FRAMEWORK_NAMES)('%s is a framework and no provider', (framework) =>
    expect(mapAttributes({ 'gen_ai.provider.name': framework }).config).toEqual({ framework }),
  );

  it('all frameworks have a case', () => {
    const cased = new Set(FRAMEWORK_NAMES.map(plainName));
    expect([...FRAMEWORKS].filter((name) => !cased.has(name))).toEqual([]);
  });
});

/** Spellings of each count of a usage object as they are sent; every plain name occurs. */
const USAGE: Readonly<Record<string, readonly string[]>> = {
  input: ['input', 'inputTokens', 'prompt_tokens', 'promptTokenCount', 'prompt_eval_count'],
  output: [
    ...['output_tokens', 'completionTokens', 'candidates_token_count'],
    ...['response_tokens', 'generated_tokens', 'eval_count'],
  ],
  total: ['total', 'totalTokens', 'total_token_count'],
  cache_read: [
    ...['input_cached_tokens', 'prompt_cached_tokens', 'cached_input_tokens', 'cached_prompt_tokens'],
    ...['cachedContentTokenCount', 'cached_tokens', 'cache_read_input_tokens', 'cache_read'],
    ...['input_cache_read', 'prompt_cache_read_tokens', 'prompt_cache_hit_tokens', 'num_cached_tokens'],
  ],
  cache_write: [
    ...['cache_creation_input_tokens', 'cacheWriteInputTokens', 'cache_creation', 'cache_write_tokens'],
    ...['input_cache_creation', 'input_cache_write', 'prompt_cache_creation_tokens', 'prompt_cache_write'],
  ],
  reasoning: [
    ...['reasoning_tokens', 'output_reasoning_tokens', 'completion_reasoning_tokens'],
    ...['thoughtsTokenCount', 'thinking_tokens'],
  ],
  tool_use: [
    ...['toolUsePromptTokenCount', 'tool_use_input_tokens', 'input_tool_use_tokens'],
    'prompt_tool_use_tokens',
  ],
};
const STORED: Readonly<Record<string, string>> = {
  input: 'prompt_tokens',
  output: 'completion_tokens',
  total: 'total_tokens',
  cache_read: 'cache_read_input_tokens',
  cache_write: 'cache_creation_input_tokens',
  reasoning: 'reasoning_tokens',
};

describe('counts of usage objects', () => {
  const cases = Object.entries(USAGE).flatMap(([count, names]) =>
    names.map((name) => [name, count] as const),
  );

  it.each(cases)('%s is the count of %s', (name, count) => {
    const { metadata } = mapAttributes({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details': JSON.stringify({ [name]: 7 }),
    });
    const stored = STORED[count];
    if (stored === undefined) expect(metadata['usage_details']).toEqual({ tool_use_prompt_tokens: 7 });
    else expect(metadata[stored]).toBe(7);
  });

  it('all spellings have a case', () => {
    const plain = (name: string) =>
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/_tokens?(_count)?$/, '');
    for (const [count, names] of Object.entries(USAGE_NAMES))
      expect(names.filter((name) => !USAGE[count]?.some((sent) => plain(sent) === name))).toEqual([]);
  });
});
