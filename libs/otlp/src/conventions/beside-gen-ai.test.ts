import { sessionIdOf } from '@assay/domain';
import { mapAttributes, mapOne, PROJECT, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { agentOps } from './agentops.js';
import { braintrust } from './braintrust.js';
import { general } from './general.js';
import { laminar } from './laminar.js';
import { pipecat } from './pipecat.js';
import type { Convention } from './rule.js';
import { sentry } from './sentry.js';
import { spanKinds } from './span-kinds.js';
import { springAi } from './spring-ai.js';
import { synonyms } from './synonyms.js';

const session = sessionIdOf(PROJECT, 's1');
const question = [{ role: 'user', content: 'hi' }];
const inMilliseconds: Record<string, [sent: number, milliseconds: number]> = {
  'metadata.time_to_first_token_ms': [0.25, 250],
  'metadata.time_in_queue_ms': [0.25, 250],
  'metadata.server_request_duration_ms': [0.25, 250],
};
const FIELD_OF_COUNT: Record<string, string> = {
  'usage.input': 'metadata.prompt_tokens',
  'usage.output': 'metadata.completion_tokens',
  'usage.cache_read': 'metadata.cache_read_input_tokens',
  'usage.cache_write': 'metadata.cache_creation_input_tokens',
  'usage.reasoning': 'metadata.reasoning_tokens',
};

/** A value of each fact of a call, and where it is in the event. */
const FACTS: Record<string, [sent: unknown, path: string, expected: unknown]> = {
  'fact.cost': [0.5, 'metadata.cost', 0.5],
  'cost_details.prompt': [0.5, 'metadata.cost_details', { prompt: 0.5 }],
  'cost_details.completion': [0.5, 'metadata.cost_details', { completion: 0.5 }],
  'cost_details.cache_read': [0.5, 'metadata.cost_details', { cache_read: 0.5 }],
  'cost_details.cache_write': [0.5, 'metadata.cost_details', { cache_write: 0.5 }],
  'cost_details.reasoning': [0.5, 'metadata.cost_details', { reasoning: 0.5 }],
  'usage_details.audio_input': [7, 'metadata.usage_details', { audio_input: 7 }],
  'usage_details.audio_output': [7, 'metadata.usage_details', { audio_output: 7 }],
  'usage.total': [7, 'metadata.total_tokens', 7],
  'fact.history': ['hi', 'inputs.chat_history', question],
  'fact.input': ['hi', 'inputs.chat_history', question],
  'fact.tool_arguments': ['hi', 'inputs.chat_history', question],
  'fact.output_messages': ['hello', 'outputs.content', 'hello'],
  'fact.answer_text': ['hello', 'outputs.content', 'hello'],
  'fact.answer_reasoning': ['a thought', 'outputs.reasoning', 'a thought'],
  'fact.output': ['hello', 'outputs.content', 'hello'],
  'fact.tool_result': ['hello', 'outputs.content', 'hello'],
  'config.model': ['gpt-4o', 'config.model', 'gpt-4o'],
  'metadata.response_model': ['gpt-4o', 'metadata.response_model', 'gpt-4o'],
  'config.provider': ['openai', 'config.provider', 'openai'],
  'metadata.finish_reasons': ['stop', 'metadata.finish_reasons', ['stop']],
  'metadata.error_type': ['Timeout', 'metadata.error_type', 'Timeout'],
  'fact.error_message': ['it failed', 'metadata.gen_ai.error.message', 'it failed'],
  'fact.session': ['s1', 'session_id', session],
  'user_properties.user_id': ['u1', 'user_properties.user_id', 'u1'],
  'metadata.span_type': ['llm', 'metadata.span_type', 'llm'],
};

/** Seconds unless the description names another unit; token counts as they are. */
const synonymCases = synonyms.rules.map(({ key, to, about = '' }): TableCase => {
  if (to === 'event') return [key, '{"prompt_tokens":7}', 'metadata.prompt_tokens', 7];
  if (to === 'usage.tool_use') return [key, 7, 'metadata.usage_details', { tool_use_prompt_tokens: 7 }];
  const count = FIELD_OF_COUNT[to];
  if (count !== undefined) return [key, 7, count, 7];
  const fact = FACTS[to];
  if (fact !== undefined) return [key, ...fact];
  if (about.toLowerCase().includes('nanoseconds')) return [key, 350_000_000, to, 350];
  const [sent, milliseconds] = inMilliseconds[to] ?? [];
  return about.toLowerCase().includes('seconds on the wire')
    ? [key, sent, to, milliseconds]
    : [key, 250, to, 250];
});

const tables: [Convention, Record<string, unknown>, TableCase[]][] = [
  [
    spanKinds,
    {},
    [
      ['gen_ai.span.kind', 'LLM', 'event_type', 'model'],
      ['gen_ai.span.kind', 'EMBEDDING', 'event_type', 'model'],
      ['gen_ai.span.kind', 'AGENT', 'event_type', 'chain'],
      ['gen_ai.span.kind', 'CHAIN', 'event_type', 'chain'],
      ['gen_ai.span.kind', 'TOOL', 'event_type', 'tool'],
      ['gen_ai.span.kind', 'RETRIEVER', 'event_type', 'tool'],
      ['gen_ai.span.kind', 'RERANKER', 'event_type', 'tool'],
      ['gen_ai.span.kind', 'AGENT', 'metadata.span_kind', 'AGENT'],
      ['gen_ai.framework', 'dify', 'config.framework', 'dify'],
      ['gen_ai.session.id', 's1', 'session_id', session],
      ['gen_ai.user.id', 'u1', 'user_properties.user_id', 'u1'],
      ['gen_ai.model_name', 'qwen-max', 'config.model', 'qwen-max'],
      ['gen_ai.response.finish_reason', 'stop', 'metadata.finish_reasons', ['stop']],
      ['gen_ai.request.n', 2, 'config.n', 2],
      ['retrieval.query', 'hi', 'inputs', { query: 'hi' }],
      ['retrieval.document', '[{"content":"doc"}]', 'outputs', { documents: [{ content: 'doc' }] }],
    ],
  ],
  [
    sentry,
    { 'gen_ai.operation.name': 'chat' },
    [
      ['gen_ai.request.messages', '[{"role":"user","content":"hi"}]', 'inputs.chat_history', question],
      ['gen_ai.response.text', 'Pear', 'outputs.content', 'Pear'],
      ['gen_ai.response.text', '["Pear","Plum"]', 'outputs.content', 'Pear\nPlum'],
      [
        'gen_ai.response.tool_calls',
        '[{"name":"f","arguments":"{}"}]',
        'outputs.tool_calls',
        [{ name: 'f', arguments: {} }],
      ],
      ['sentry.op', 'gen_ai.execute_tool', 'metadata.sentry.op', 'gen_ai.execute_tool'],
      ['gen_ai.response.streaming', true, 'config.stream', true],
      ['gen_ai.request.available_tools', '[{"name":"f"}]', 'config.tools', [{ name: 'f' }]],
    ],
  ],
  [
    springAi,
    {},
    [
      ['spring.ai.kind', 'tool_call', 'event_type', 'tool'],
      ['spring.ai.kind', 'advisor', 'event_type', 'chain'],
      ['spring.ai.chat.client.conversation.id', 's1', 'session_id', session],
      ['spring.ai.tool.definition.name', 'weather', 'metadata.tool_name', 'weather'],
      ['spring.ai.tool.definition.description', 'Weather', 'metadata.tool_description', 'Weather'],
      ['spring.ai.tool.definition.schema', '{"type":"object"}', 'config.tool_parameters', { type: 'object' }],
      ['spring.ai.tool.type', 'function', 'metadata.tool_type', 'function'],
      ['spring.ai.tool.call.id', 'c1', 'metadata.tool_call_id', 'c1'],
      ['spring.ai.tool.call.arguments', '{"city":"Oslo"}', 'inputs', { city: 'Oslo' }],
      ['spring.ai.tool.call.result', '{"celsius":7}', 'outputs', { celsius: 7 }],
      ['spring.ai.tool.call.result', '"dry"', 'outputs', { value: 'dry' }],
      ['db.vector.query.content', 'rain', 'inputs', { query: 'rain' }],
      ['db.vector.query.top_k', 4, 'config.top_k', 4],
      ['db.vector.query.response.documents', '["wet"]', 'outputs', { documents: ['wet'] }],
      ['spring.ai.chat.client.user.text', 'hi', 'inputs', { value: 'hi' }],
      [
        'spring.ai.chat.client.system.text',
        'brief',
        'inputs.chat_history',
        [{ role: 'system', content: 'brief' }],
      ],
    ],
  ],
  [
    pipecat,
    { 'turn.number': 1 },
    [
      ['conversation.id', 's1', 'session_id', session],
      ['metrics.ttfb', 0.4, 'metadata.time_to_first_token_ms', 400],
      ['transcript', 'What is the time?', 'outputs', { value: 'What is the time?' }],
      ['text', 'Half past nine.', 'inputs', { value: 'Half past nine.' }],
      ['input', '[{"role":"user","content":"hi"}]', 'inputs.chat_history', question],
      ['output', 'Half past nine.', 'outputs.content', 'Half past nine.'],
      ['tools', '[{"name":"clock"}]', 'config.tools', [{ name: 'clock' }]],
      ['tools.definitions', '[{"name":"clock"}]', 'config.tools', [{ name: 'clock' }]],
      ['stream', true, 'config.stream', true],
      ['system', 'brief', 'inputs.chat_history', [{ role: 'system', content: 'brief' }]],
      ['system_instruction', 'brief', 'inputs.chat_history', [{ role: 'system', content: 'brief' }]],
      ['tool.function_name', 'clock', 'event_type', 'tool'],
      ['tool.call_id', 'c1', 'metadata.tool_call_id', 'c1'],
      ['tool.arguments', '{"zone":"Oslo"}', 'inputs', { zone: 'Oslo' }],
      ['tool.result', '{"time":"09:30"}', 'outputs', { time: '09:30' }],
      ['voice_id', 'v1', 'config.voice', 'v1'],
      ['language', 'en', 'config.language', 'en'],
    ],
  ],
  [
    braintrust,
    {},
    [
      ['braintrust.span_attributes', '{"type":"llm","purpose":"scorer"}', 'event_type', 'model'],
      [
        'braintrust.span_attributes',
        '{"type":"llm","purpose":"scorer"}',
        'metadata.span_attributes',
        { purpose: 'scorer' },
      ],
      ['braintrust.span_attributes.type', 'score', 'event_type', 'tool'],
      ['braintrust.input_json', '"hi"', 'inputs', { value: 'hi' }],
      ['braintrust.input', '{"q":"hi"}', 'inputs', { q: 'hi' }],
      ['braintrust.output_json', '"hello"', 'outputs', { value: 'hello' }],
      ['braintrust.output', '{"a":"hello"}', 'outputs', { a: 'hello' }],
      ['braintrust.metadata', '{"model":"m","seed":1}', 'config', { model: 'm', seed: 1 }],
      ['braintrust.metadata.tier', 'pro', 'metadata.tier', 'pro'],
      ['braintrust.metrics', '{"time_to_first_token":0.25}', 'metadata.time_to_first_token_ms', 250],
      ['braintrust.metrics.estimated_cost', 0.5, 'metadata.aggregate_usage', { cost: 0.5 }],
      ['braintrust.scores', '{"right":1}', 'metrics', { right: 1 }],
      ['braintrust.scores.right', 1, 'metrics', { right: 1 }],
      ['braintrust.tags', ['a'], 'metadata.tags', ['a']],
      ['braintrust.expected', '"hello"', 'feedback', { ground_truth: 'hello' }],
    ],
  ],
  [
    laminar,
    {},
    [
      ['lmnr.span.type', 'LLM', 'event_type', 'model'],
      ['lmnr.span.type', 'DEFAULT', 'metadata.span_type', 'DEFAULT'],
      ['lmnr.span.input', '"hi"', 'inputs', { value: 'hi' }],
      ['lmnr.span.output', '{"a":1}', 'outputs', { a: 1 }],
      ['lmnr.association.properties.session_id', 's1', 'session_id', session],
      ['lmnr.association.properties.user_id', 'u1', 'user_properties.user_id', 'u1'],
      ['lmnr.association.properties.tags', ['a'], 'metadata.tags', ['a']],
      ['lmnr.association.properties.metadata.tier', 'pro', 'metadata.tier', 'pro'],
    ],
  ],
  [
    agentOps,
    {},
    [
      ['agentops.span.kind', 'llm', 'event_type', 'model'],
      ['agentops.entity.name', 'rain', 'metadata.entity_name', 'rain'],
      ['agentops.entity.input', '{"q":"hi"}', 'inputs', { q: 'hi' }],
      ['agentops.entity.output', '{"a":"hello"}', 'outputs', { a: 'hello' }],
      ['agentops.tags', ['a'], 'metadata.tags', ['a']],
      ['agentops.tool.input', '{"q":"hi"}', 'inputs', { q: 'hi' }],
    ],
  ],
  [synonyms, { 'gen_ai.operation.name': 'chat' }, synonymCases],
];

it('recognises a call of Pipecat that measures nothing by its number of tools', () => {
  const tools = { tools: '[{"name":"clock"}]', tool_count: 1 };
  expect(mapAttributes(tools).config).toEqual({ tools: [{ name: 'clock' }] });
});

describe.each(
  tables.map(([convention, common, cases]) => ({ title: convention.title, convention, common, cases })),
)('attributes of $title', ({ convention, common, cases }) => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...common, [key]: value }), path)).toEqual(expected);
  });

  const inTools = ['gen_ai.tool.input', 'gen_ai.tool.output'];
  it('has a test case for every attribute', () =>
    expect(untestedKeys(convention, cases).filter((key) => !inTools.includes(key))).toEqual([]));
});

describe('spans', () => {
  it('of tools in the Sentry SDK have inputs and outputs', () => {
    const event = mapAttributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.input': '{"kind":"fruit"}',
      'gen_ai.tool.output': '{"fruit":"pear"}',
    });
    expect(event).toMatchObject({
      event_type: 'tool',
      inputs: { kind: 'fruit' },
      outputs: { fruit: 'pear' },
    });
  });

  it('of agents that name a model are chains, and their tokens are an aggregate', () => {
    const event = mapAttributes({
      'gen_ai.span.kind': 'AGENT',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 5,
    });
    expect(event.event_type).toBe('chain');
    expect(event.metadata['aggregate_usage']).toEqual({ prompt_tokens: 5, total_tokens: 5 });
  });

  it.each(['autogen', 'spring_ai', 'langgraph', 'crewai', 'semantic_kernel', 'llamaindex', 'haystack'])(
    'name the framework %s beside the provider, not as one',
    (system) => {
      const { config } = mapAttributes({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.system': system });
      expect(config).toEqual({ framework: system });
    },
  );

  it('that send a message to an agent are steps of the conversation that they name', () => {
    const event = mapOne({
      kind: 4,
      attributes: { 'messaging.operation': 'publish', 'messaging.message.conversation_id': 's1' },
    });
    expect(event).toMatchObject({ event_type: 'chain', session_id: session });
    expect(general.rules.map(({ key }) => key)).toContain('messaging.operation.name');
  });

  it.each(['execute_tool (merged)', 'execute_tool (merged tools)'])('%s are steps', (name) => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': '(merged tools)' };
    expect(mapOne({ name, attributes }).event_type).toBe('chain');
  });

  it.each([
    ['search_memory', 'outputs'],
    ['create_memory', 'inputs'],
    ['update_memory', 'inputs'],
  ] as const)('of %s have the records among their %s', (operation, bucket) => {
    const event = mapAttributes({
      'gen_ai.operation.name': operation,
      'gen_ai.memory.records': '[{"content":"likes tea"}]',
    });
    expect(event[bucket]).toEqual({ records: [{ content: 'likes tea' }] });
  });
});
