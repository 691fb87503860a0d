import { mapAttributes } from '../../test/map-one.js';
import { CONVENTIONS } from './catalogue.js';
import { FRAMEWORKS, PROVIDER_SPELLINGS } from './providers.js';
import type { Reader } from './rule.js';
import { USAGE_NAMES } from './usage-object.js';

type Kinds = Readonly<Record<string, readonly string[]>>;

/** Names of each event type by the attribute that states them. */
const KINDS: Readonly<Record<string, Kinds>> = {
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
    const cased = new Set(cases.map(([name]) => name));
    expect(sentNames(key).length).toBeGreaterThan(0);
    expect(sentNames(key).filter((name) => !cased.has(name))).toEqual([]);
  });
});

/** Names of the conventions by the spellings of vendors. */
const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  'azure.ai.inference': ['az.ai.inference'],
  'azure.ai.openai': ['az.ai.openai', 'azure', 'azure_openai'],
  'aws.bedrock': ['aws', 'amazon-bedrock', 'bedrock'],
  'gcp.gen_ai': ['google'],
  'gcp.gemini': ['gemini'],
  'gcp.vertex_ai': ['vertex_ai', 'vertexai', 'gcp.vertex.agent'],
  mistral_ai: ['mistral', 'mistralai'],
  x_ai: ['xai'],
};

describe('providers', () => {
  const cases = Object.entries(PROVIDERS).flatMap(([provider, names]) =>
    names.map((name) => [name, provider] as const),
  );

  it.each(cases)('%s is %s, and what was sent is kept', (name, provider) => {
    const { config, metadata } = mapAttributes({ 'gen_ai.provider.name': name });
    expect(config).toEqual({ provider });
    expect(metadata['system']).toBe(name);
  });

  it('all spellings have a case', () =>
    expect(Object.keys(PROVIDER_SPELLINGS).sort()).toEqual(cases.map(([name]) => name).sort()));

  it.each([...FRAMEWORKS])('%s is a framework and no provider', (framework) =>
    expect(mapAttributes({ 'gen_ai.provider.name': framework }).config).toEqual({ framework }),
  );
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
    ...['input_cache_read', 'prompt_cache_read_tokens', 'prompt_cache_hit_tokens'],
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
