import { mapAttributes, mapOne, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { openLlmetry } from './openllmetry.js';

const CHAT = { 'llm.request.type': 'chat' };
const text = (key: string, path: string): TableCase => [key, 'some text', path, 'some text'];
const count = (key: string, path: string): TableCase => [key, 7, path, 7];

const cases: TableCase[] = [
  ['traceloop.span.kind', 'workflow', 'metadata.span_kind', 'workflow'],
  ['llm.request.type', 'chat', 'metadata.request_type', 'chat'],
  text('traceloop.entity.name', 'metadata.entity_name'),
  text('traceloop.entity.path', 'metadata.entity_path'),
  text('traceloop.entity.version', 'metadata.entity_version'),
  text('traceloop.workflow.name', 'metadata.workflow_name'),
  ['traceloop.entity.input', '{"args":[1],"kwargs":{}}', 'inputs', { args: [1], kwargs: {} }],
  ['traceloop.entity.output', '{"a":1}', 'outputs.a', 1],
  text('traceloop.prompt.key', 'config.prompt_name'),
  text('traceloop.prompt.version', 'config.prompt_version'),
  text('traceloop.prompt.version_name', 'metadata.prompt_version_name'),
  text('traceloop.prompt.version_hash', 'metadata.prompt_version_hash'),
  text('traceloop.prompt.template', 'config.template'),
  ['traceloop.prompt.template_variables.city', 'Oslo', 'inputs.variables', { city: 'Oslo' }],
  ['gen_ai.prompt.0.content', 'hi', 'inputs.chat_history', [{ role: 'user', content: 'hi' }]],
  ['gen_ai.completion.0.content', 'yo', 'outputs', { role: 'assistant', content: 'yo' }],
  [
    'gen_ai.prompt',
    '[{"role":"user","content":"hi"}]',
    'inputs.chat_history',
    [{ role: 'user', content: 'hi' }],
  ],
  ['gen_ai.completion', 'yo', 'outputs.content', 'yo'],
  [
    'llm.request.functions.0.parameters',
    '{"type":"object"}',
    'config.tools',
    [{ parameters: { type: 'object' } }],
  ],
  ['llm.is_streaming', 'False', 'config.stream', false],
  ['gen_ai.is_streaming', true, 'config.stream', true],
  ['llm.frequency_penalty', 0.5, 'config.frequency_penalty', 0.5],
  ['llm.presence_penalty', 0.5, 'config.presence_penalty', 0.5],
  ['llm.top_k', 4, 'config.top_k', 4],
  ['llm.chat.stop_sequences', 'END', 'config.stop_sequences', ['END']],
  text('gen_ai.request.reasoning_effort', 'config.reasoning_effort'),
  [
    'gen_ai.request.structured_output_schema',
    '{"type":"object"}',
    'config.response_format',
    { type: 'object' },
  ],
  ['llm.response.finish_reason', 'stop', 'metadata.finish_reasons', ['stop']],
  ['llm.response.stop_reason', 'end_turn', 'metadata.finish_reasons', ['end_turn']],
  text('gen_ai.openai.system_fingerprint', 'metadata.system_fingerprint'),
  count('llm.usage.total_tokens', 'metadata.total_tokens'),
  count('gen_ai.usage.cache_read_input_tokens', 'metadata.cache_read_input_tokens'),
  count('gen_ai.usage.cache_creation_input_tokens', 'metadata.cache_creation_input_tokens'),
  count('gen_ai.usage.cache_write_input_tokens', 'metadata.cache_creation_input_tokens'),
  count('gen_ai.usage.reasoning_tokens', 'metadata.reasoning_tokens'),
  count('llm.usage.reasoning_tokens', 'metadata.reasoning_tokens'),
];

describe('attributes of OpenLLMetry', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...CHAT, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(openLlmetry, cases)).toEqual([]));

  it.each([
    ['traceloop.span.kind', 'workflow', 'chain'],
    ['traceloop.span.kind', 'session', 'chain'],
    ['traceloop.span.kind', 'tool', 'tool'],
    ['traceloop.span.kind', 'unknown', 'chain'],
    ['llm.request.type', 'completion', 'model'],
    ['llm.request.type', 'embedding', 'model'],
    ['llm.request.type', 'rerank', 'tool'],
  ])('%s = %s is a %s', (key, value, type) => expect(mapAttributes({ [key]: value }).event_type).toBe(type));
});

describe('a chat of the older versions', () => {
  it('is a model with its history, answer, tools and tokens', () => {
    const event = mapAttributes({
      ...CHAT,
      'gen_ai.system': 'OpenAI',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'be brief',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content':
        '[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"https://x/y"}}]',
      'gen_ai.completion.0.finish_reason': '',
      'gen_ai.completion.0.tool_calls.0.id': 'c1',
      'gen_ai.completion.0.tool_calls.0.name': 'f',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"a":1}',
      'llm.request.functions.0.name': 'f',
      'gen_ai.usage.prompt_tokens': 5,
      'gen_ai.usage.completion_tokens': 2,
      'llm.usage.total_tokens': 7,
    });
    expect(event).toMatchObject({
      event_type: 'model',
      config: { provider: 'openai', tools: [{ name: 'f' }] },
    });
    expect(event.inputs['chat_history']).toEqual([
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', url: 'https://x/y' },
        ],
      },
    ]);
    expect(event.outputs).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }],
    });
    expect(event.metadata).toMatchObject({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 });
  });

  it('that also sends the newer attributes is stored once', () => {
    const both = { 'gen_ai.input.messages': 'hi', 'gen_ai.prompt.0.content': 'hi' };
    expect(mapAttributes({ ...CHAT, ...both }).inputs).toEqual({
      chat_history: [{ role: 'user', content: 'hi' }],
    });
  });

  it.each([
    ['AWS', 'aws.bedrock'],
    ['Azure', 'azure.ai.openai'],
    ['MistralAI', 'mistral_ai'],
    ['VertexAI', 'gcp.vertex_ai'],
    ['Google', 'gcp.gen_ai'],
    ['Anthropic', 'anthropic'],
  ])('names the provider %s as %s', (system, provider) => {
    expect(mapAttributes({ ...CHAT, 'gen_ai.system': system }).config['provider']).toBe(provider);
  });

  it('of an embedding is its text', () => {
    const event = mapAttributes({ 'llm.request.type': 'embedding', 'gen_ai.prompt.0.content': 'a text' });
    expect(event).toMatchObject({ event_type: 'model', inputs: { input: 'a text' } });
  });
});

describe('decorated functions', () => {
  it('keep inputs that were cut off as text, and unquote an output that is a text', () => {
    const event = mapOne({
      name: 'joke.workflow',
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': '{"args":["tell me',
        'traceloop.entity.output': '"hi"',
      },
    });
    expect(event).toMatchObject({
      event_type: 'chain',
      inputs: { value: '{"args":["tell me' },
      outputs: { value: 'hi' },
    });
  });
});
