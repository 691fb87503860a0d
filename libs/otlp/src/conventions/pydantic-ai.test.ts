import { mapAttributes, mapSpans, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { pydanticAi } from './pydantic-ai.js';

const CHAT = { 'gen_ai.operation.name': 'chat', 'logfire.msg': 'chat m' };
const events = [
  { 'event.name': 'gen_ai.system.message', role: 'system', content: 'be brief', 'gen_ai.message.index': 0 },
  { 'event.name': 'gen_ai.user.message', content: 'hi' },
  { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: 'yo' } },
];
const messages = [
  { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
  { role: 'assistant', parts: [{ type: 'text', content: 'yo' }] },
];
const history = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'hi' },
];
const parameters = JSON.stringify({
  function_tools: [{ name: 'f' }],
  output_tools: [{ name: 'final' }],
  output_mode: 'tool',
});
const count = (key: string, path: string): TableCase => [key, 7, path, 7];

const cases: TableCase[] = [
  ['logfire.msg', 'agent run', 'metadata.message', 'agent run'],
  ['logfire.tags', ['a'], 'metadata.tags', ['a']],
  ['logfire.msg_template', 'Function: {name}', 'metadata.logfire.msg_template', 'Function: {name}'],
  ['error', '{"message":"boom"}', 'metadata.error', '{"message":"boom"}'],
  ['events', JSON.stringify(events), 'inputs.chat_history', history],
  ['events', JSON.stringify(events), 'outputs', { role: 'assistant', content: 'yo' }],
  [
    'all_messages_events',
    JSON.stringify(events.slice(0, 2).concat({ 'event.name': 'gen_ai.assistant.message', content: 'yo' })),
    'outputs.content',
    'yo',
  ],
  [
    'pydantic_ai.all_messages',
    JSON.stringify(messages),
    'inputs.chat_history',
    [{ role: 'user', content: 'hi' }],
  ],
  ['pydantic_ai.all_messages', JSON.stringify(messages), 'outputs', { role: 'assistant', content: 'yo' }],
  ['final_result', '{"a":1}', 'outputs', { a: 1 }],
  ['final_result', 'done', 'outputs', { value: 'done' }],
  [
    'model_request_parameters',
    parameters,
    'config',
    { tools: [{ name: 'f' }], output_tools: [{ name: 'final' }], output_mode: 'tool' },
  ],
  ['agent_name', 'helper', 'metadata.agent_name', 'helper'],
  ['model_name', 'm', 'config.model', 'm'],
  ['tool_arguments', '{"a":1}', 'inputs', { a: 1 }],
  ['tool_response', 'ok', 'outputs.content', 'ok'],
  ['gen_ai.tools', '[{"name":"f"}]', 'config.tools', [{ name: 'f' }]],
  count('gen_ai.usage.details.reasoning_tokens', 'metadata.reasoning_tokens'),
  count('gen_ai.usage.details.cache_read_input_tokens', 'metadata.cache_read_input_tokens'),
  count('gen_ai.usage.details.cache_read_tokens', 'metadata.cache_read_input_tokens'),
  count('gen_ai.usage.details.cache_write_tokens', 'metadata.cache_creation_input_tokens'),
  count('gen_ai.usage.details.cache_creation_input_tokens', 'metadata.cache_creation_input_tokens'),
  ['gen_ai.usage.details.audio', 7, 'metadata.usage_details', { audio: 7 }],
  count('gen_ai.aggregated_usage.input_tokens', 'metadata.prompt_tokens'),
  count('gen_ai.aggregated_usage.output_tokens', 'metadata.completion_tokens'),
  ['operation.cost', 0.01, 'metadata.cost', 0.01],
];

describe('attributes of Pydantic AI and Logfire', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...CHAT, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(pydanticAi, cases)).toEqual([]));
});

describe('spans of Pydantic AI', () => {
  it('that run an agent are chains although they name a model, and aggregate their usage separately', () => {
    const event = mapAttributes({ agent_name: 'helper', model_name: 'm', 'gen_ai.usage.input_tokens': 10 });
    expect(event).toMatchObject({
      event_type: 'chain',
      config: { model: 'm' },
      metadata: { aggregate_usage: { prompt_tokens: 10 } },
    });
  });

  it('that run a tool are tools without an operation name', () => {
    const event = mapAttributes({ 'gen_ai.tool.name': 'f', tool_arguments: '{"a":1}', tool_response: 'ok' });
    expect(event).toMatchObject({ event_type: 'tool', inputs: { a: 1 }, outputs: { value: 'ok' } });
  });

  it('that are placeholders of running spans are not stored', () => {
    const pending = { spanId: 'aaaaaaaaaaaaaaaa', attributes: { 'logfire.span_type': 'pending_span' } };
    const {
      events: mapped,
      sessions,
      rejected,
    } = mapSpans([pending, { attributes: { 'logfire.msg': 'real' } }]);
    expect([mapped.length, sessions.length, rejected.count]).toEqual([1, 1, 0]);
    expect(mapSpans([pending])).toMatchObject({ events: [], sessions: [] });
  });
});
