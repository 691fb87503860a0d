import type { JsonValue } from '@assay/domain';
import { mapAttributes, mapOne, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { DETAILS_EVENT, genAi } from './gen-ai.js';

/** Attributes that identify the span as a model call. */
const CHAT = { 'gen_ai.operation.name': 'chat' };

const text = (key: string, path: string): TableCase => [key, 'some text', path, 'some text'];
const count = (key: string, path: string): TableCase => [key, 7, path, 7];

const cases: TableCase[] = [
  ['gen_ai.operation.name', 'chat', 'metadata.operation_name', 'chat'],
  ['gen_ai.operation.name', 'Execute_Tool', 'event_type', 'tool'],
  ['gen_ai.provider.name', 'openai', 'config.provider', 'openai'],
  ['gen_ai.provider.name', 'az.ai.inference', 'config.provider', 'azure.ai.inference'],
  ['gen_ai.provider.name', 'azure.ai.inference', 'config.provider', 'azure.ai.inference'],
  ['gen_ai.provider.name', 'ibm.watsonx.ai', 'config.provider', 'ibm.watsonx.ai'],
  ['gen_ai.provider.name', 'az.ai.inference', 'metadata.system', 'az.ai.inference'],
  ['gen_ai.system', 'openai.chat', 'config.provider', 'openai'],
  ['gen_ai.system', 'vertex_ai', 'config.provider', 'gcp.vertex_ai'],
  ['gen_ai.system', 'vertex_ai', 'metadata.system', 'vertex_ai'],
  ['gen_ai.system', 'MyHost', 'config.provider', 'myhost'],
  text('gen_ai.conversation.id', 'metadata.conversation_id'),
  text('gen_ai.agent.id', 'metadata.agent_id'),
  text('gen_ai.agent.name', 'metadata.agent_name'),
  text('gen_ai.agent.description', 'metadata.agent_description'),
  text('gen_ai.agent.version', 'metadata.agent_version'),
  text('gen_ai.workflow.name', 'metadata.workflow_name'),
  text('gen_ai.data_source.id', 'metadata.data_source_id'),
  text('gen_ai.tool.name', 'metadata.tool_name'),
  text('gen_ai.tool.call.id', 'metadata.tool_call_id'),
  text('gen_ai.tool.type', 'metadata.tool_type'),
  text('gen_ai.tool.description', 'metadata.tool_description'),
  text('gen_ai.request.model', 'config.model'),
  text('gen_ai.response.model', 'metadata.response_model'),
  text('gen_ai.response.model', 'config.model'),
  ['gen_ai.request.temperature', 0.2, 'config.temperature', 0.2],
  ['gen_ai.request.temperature', '0.2', 'config.temperature', 0.2],
  ['gen_ai.request.top_p', 1, 'config.top_p', 1],
  ['gen_ai.request.top_k', 40, 'config.top_k', 40],
  ['gen_ai.request.max_tokens', 256, 'config.max_tokens', 256],
  ['gen_ai.request.frequency_penalty', 0.5, 'config.frequency_penalty', 0.5],
  ['gen_ai.request.presence_penalty', 0.5, 'config.presence_penalty', 0.5],
  ['gen_ai.request.seed', 42, 'config.seed', 42],
  ['gen_ai.request.stop_sequences', ['END'], 'config.stop_sequences', ['END']],
  ['gen_ai.request.choice.count', 2, 'config.n', 2],
  ['gen_ai.request.stream', true, 'config.stream', true],
  ['gen_ai.request.encoding_formats', ['base64'], 'config.encoding_formats', ['base64']],
  text('gen_ai.request.reasoning.level', 'config.reasoning_effort'),
  text('gen_ai.request.previous_response.id', 'config.previous_response_id'),
  ['gen_ai.embeddings.dimension.count', 512, 'config.dimensions', 512],
  text('gen_ai.output.type', 'config.output_type'),
  ['gen_ai.tool.definitions', '[{"name":"f"}]', 'config.tools', [{ name: 'f' }]],
  text('gen_ai.prompt.name', 'config.prompt_name'),
  text('gen_ai.prompt.version', 'config.prompt_version'),
  text('openai.request.service_tier', 'config.service_tier'),
  ['gen_ai.openai.request.seed', 42, 'config.seed', 42],
  ['gen_ai.openai.request.response_format', '{"type":"json"}', 'config.response_format', { type: 'json' }],
  text('gen_ai.openai.request.service_tier', 'config.service_tier'),
  ['gen_ai.retrieval.top_k', 3, 'config.top_k', 3],
  text('gen_ai.response.id', 'metadata.response_id'),
  ['gen_ai.response.finish_reasons', ['stop'], 'metadata.finish_reasons', ['stop']],
  ['gen_ai.response.finish_reasons', '["stop"]', 'metadata.finish_reasons', ['stop']],
  ['gen_ai.response.time_to_first_chunk', 0.25, 'metadata.time_to_first_token_ms', 250],
  ['gen_ai.client.operation.time_to_first_chunk', 0.25, 'metadata.time_to_first_token_ms', 250],
  text('openai.response.service_tier', 'metadata.service_tier'),
  text('openai.response.system_fingerprint', 'metadata.system_fingerprint'),
  text('gen_ai.openai.response.service_tier', 'metadata.service_tier'),
  text('gen_ai.openai.response.system_fingerprint', 'metadata.system_fingerprint'),
  text('openai.api.type', 'metadata.api_type'),
  count('gen_ai.usage.input_tokens', 'metadata.prompt_tokens'),
  count('gen_ai.usage.output_tokens', 'metadata.completion_tokens'),
  count('gen_ai.usage.total_tokens', 'metadata.total_tokens'),
  count('gen_ai.usage.cache_read.input_tokens', 'metadata.cache_read_input_tokens'),
  count('gen_ai.usage.cache_write.input_tokens', 'metadata.cache_creation_input_tokens'),
  count('gen_ai.usage.cache_creation.input_tokens', 'metadata.cache_creation_input_tokens'),
  count('gen_ai.usage.reasoning.output_tokens', 'metadata.reasoning_tokens'),
  count('gen_ai.usage.prompt_tokens', 'metadata.prompt_tokens'),
  count('gen_ai.usage.completion_tokens', 'metadata.completion_tokens'),
  ['gen_ai.usage.cost', 0, 'metadata.cost', 0],
  ...['text', 'image', 'audio', 'video'].flatMap((modality): TableCase[] => [
    [`gen_ai.usage.${modality}.input_tokens`, 7, 'metadata.usage_details', { [`${modality}_input`]: 7 }],
    [`gen_ai.usage.${modality}.output_tokens`, 7, 'metadata.usage_details', { [`${modality}_output`]: 7 }],
    [
      `gen_ai.usage.${modality}.cache_read.input_tokens`,
      7,
      'metadata.usage_details',
      { [`${modality}_cache_read_input`]: 7 },
    ],
  ]),
  ['gen_ai.input.messages', 'hello', 'inputs.chat_history', [{ role: 'user', content: 'hello' }]],
  ['gen_ai.output.messages', 'hello', 'outputs.content', 'hello'],
  [
    'gen_ai.system_instructions',
    'be brief',
    'inputs.chat_history',
    [{ role: 'system', content: 'be brief' }],
  ],
  [
    'gen_ai.system_instructions',
    '[{"type":"text","content":"be"},"brief"]',
    'inputs.chat_history',
    [{ role: 'system', content: 'be\nbrief' }],
  ],
  text('gen_ai.retrieval.query.text', 'inputs.query'),
  ['gen_ai.retrieval.documents', [{ id: 'd', score: 0.5 }], 'outputs.documents', [{ id: 'd', score: 0.5 }]],
  ['gen_ai.memory.query.text', 'diet', 'inputs', { query: 'diet' }],
  ['gen_ai.memory.records', '[{"id":"m"}]', 'outputs', { records: [{ id: 'm' }] }],
  ['gen_ai.tool.call.arguments', '{"city":"Oslo"}', 'inputs.city', 'Oslo'],
  ['gen_ai.tool.call.result', '12C', 'outputs.content', '12C'],
  // Without a score it is not an evaluation.
  ['gen_ai.evaluation.name', 'relevance', 'metadata.gen_ai.evaluation.name', 'relevance'],
];

describe('attributes of the GenAI conventions', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...CHAT, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(genAi, cases)).toEqual([]));

  it('takes the type of an unknown operation from other evidence', () => {
    const attributes = { 'gen_ai.operation.name': 'ponder', 'gen_ai.request.model': 'm' };
    expect(mapAttributes(attributes)).toMatchObject({
      event_type: 'model',
      metadata: { operation_name: 'ponder' },
    });
  });
});

const QUESTION = [{ role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }];
const ANSWER = [{ role: 'assistant', parts: [{ type: 'text', content: 'Sunny' }], finish_reason: 'stop' }];

describe('messages', () => {
  const expected = {
    inputs: { chat_history: [{ role: 'user', content: 'Weather?' }] },
    outputs: { role: 'assistant', content: 'Sunny', finish_reason: 'stop' },
  };
  const spellings: [string, (messages: JsonValue) => JsonValue][] = [
    ['as JSON text', (messages) => JSON.stringify(messages)],
    ['as structured values', (messages) => messages],
    [
      'as a list of JSON texts',
      (messages) => (messages as JsonValue[]).map((message) => JSON.stringify(message)),
    ],
    ['as JSON text of one message', (messages) => JSON.stringify((messages as JsonValue[])[0])],
  ];
  it.each(spellings)('are read %s', (_, write) => {
    const event = mapAttributes({
      ...CHAT,
      'gen_ai.input.messages': write(QUESTION),
      'gen_ai.output.messages': write(ANSWER),
    });
    expect(event).toMatchObject(expected);
    expect(Object.keys(event.inputs)).toEqual(['chat_history']);
  });

  it('put the system instructions first, once', () => {
    const withSystem = [{ role: 'system', parts: [{ type: 'text', content: 'be brief' }] }, ...QUESTION];
    for (const messages of [QUESTION, withSystem]) {
      const event = mapAttributes({
        ...CHAT,
        'gen_ai.system_instructions': 'be brief',
        'gen_ai.input.messages': messages,
      });
      expect(event.inputs['chat_history']).toEqual([
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'Weather?' },
      ]);
    }
  });

  it('in the output are choices when there are several', () => {
    const second = { role: 'assistant', parts: ['Rain'] };
    const { outputs, metadata } = mapAttributes({ ...CHAT, 'gen_ai.output.messages': [...ANSWER, second] });
    expect(outputs).toMatchObject({ content: 'Sunny', choices: [{ content: 'Sunny' }, { content: 'Rain' }] });
    expect(metadata['finish_reasons']).toEqual(['stop']);
  });

  it('without finish reasons use those of the span', () => {
    const event = mapAttributes({
      ...CHAT,
      'gen_ai.output.messages': 'Hi',
      'gen_ai.response.finish_reasons': ['length'],
    });
    expect(event.outputs).toEqual({ role: 'assistant', content: 'Hi', finish_reason: 'length' });
  });

  it('with calls and responses of tools become one message for each response', () => {
    const history = [
      ...QUESTION,
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'get', arguments: { city: 'Oslo' } }],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool_call_response', id: 'c1', response: { temp: 12 } },
          { type: 'tool_call_response', id: 'c2', result: 'fog' },
        ],
      },
    ];
    expect(mapAttributes({ ...CHAT, 'gen_ai.input.messages': history }).inputs['chat_history']).toEqual([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', name: 'get', arguments: { city: 'Oslo' } }],
      },
      { role: 'tool', content: '{"temp":12}', tool_call_id: 'c1' },
      { role: 'tool', content: 'fog', tool_call_id: 'c2' },
    ]);
  });

  it('are given the role of a tool where a user message only carries responses', () => {
    const history = [{ role: 'user', parts: [{ type: 'tool_call_response', id: 'c1', response: 'ok' }] }];
    const { inputs } = mapAttributes({ ...CHAT, 'gen_ai.input.messages': history });
    expect(inputs['chat_history']).toEqual([{ role: 'tool', content: 'ok', tool_call_id: 'c1' }]);
  });

  it('of an answer that mixes text, calls and responses keep their order', () => {
    const parts = [
      { type: 'text', content: 'Let me look' },
      { type: 'tool_call', id: 'c1', name: 'get', arguments: '{}' },
      { type: 'tool_call_response', id: 'c1', response: 'fog' },
      { type: 'text', content: 'Foggy' },
    ];
    const { outputs } = mapAttributes({ ...CHAT, 'gen_ai.output.messages': [{ role: 'assistant', parts }] });
    expect(outputs['content']).toBe('Foggy');
    expect(outputs['chat_history']).toMatchObject([
      { content: 'Let me look' },
      { role: 'tool', content: 'fog' },
      { content: 'Foggy' },
    ]);
  });

  it.each([
    [
      { type: 'reasoning', content: 'hmm' },
      { content: null, reasoning: 'hmm' },
    ],
    [{ type: 'file', file_id: 'f1' }, { content: [{ type: 'file', file_id: 'f1' }] }],
    [
      { type: 'uri', modality: 'image', uri: 'https://x/y' },
      { content: [{ type: 'image', url: 'https://x/y' }] },
    ],
    [
      { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: 'AAAA' },
      { content: [{ type: 'audio', mime_type: 'audio/wav', data: 'AAAA' }] },
    ],
    [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      { content: [{ type: 'image', url: 'data:image/png;base64,AA' }] },
    ],
    [
      { type: 'server_tool_call', id: 's', name: 'web', arguments: {} },
      { tool_calls: [{ id: 's', name: 'web', arguments: {}, type: 'server' }] },
    ],
    [{ type: 'novel', x: 1 }, { content: [{ type: 'novel', x: 1 }] }],
  ])('hold the part %j', (part, message) => {
    const { inputs } = mapAttributes({
      ...CHAT,
      'gen_ai.input.messages': [{ role: 'assistant', parts: [part] }],
    });
    expect(inputs['chat_history']).toEqual([{ role: 'assistant', content: null, ...message }]);
  });

  it('of OpenAI, with content and tool calls, are read in the same attribute', () => {
    const history = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'done' }] },
    ];
    expect(mapAttributes({ ...CHAT, 'gen_ai.input.messages': history }).inputs['chat_history']).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] },
      { role: 'tool', content: 'done', tool_call_id: 'c' },
    ]);
  });

  it('that cannot be parsed remain in the metadata', () => {
    const event = mapAttributes({ ...CHAT, 'gen_ai.input.messages': 17 });
    expect(event.inputs).toEqual({});
    expect(event.metadata['gen_ai.input.messages']).toBe(17);
  });
});

describe('inference details events', () => {
  it('fill absent values and are removed from the span events', () => {
    const event = mapOne({
      attributes: { ...CHAT, 'gen_ai.request.model': 'span model' },
      events: [
        {
          name: DETAILS_EVENT,
          attributes: { 'gen_ai.input.messages': 'Hi', 'gen_ai.request.model': 'event model' },
        },
        { name: DETAILS_EVENT, attributes: { 'gen_ai.output.messages': 'Hello', 'my.note': 1 } },
        { name: 'retry' },
      ],
    });
    expect(event).toMatchObject({
      config: { model: 'span model' },
      inputs: { chat_history: [{ role: 'user', content: 'Hi' }] },
      outputs: { role: 'assistant', content: 'Hello' },
    });
    expect(event.metadata['otel']).toMatchObject({
      events: [{ name: DETAILS_EVENT, attributes: { 'my.note': 1 } }, { name: 'retry' }],
    });
  });
});

describe('tools and agents', () => {
  it('give the arguments and the result of a tool', () => {
    const event = mapAttributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
      'gen_ai.tool.call.result': '12C',
    });
    expect(event).toMatchObject({
      event_type: 'tool',
      inputs: { city: 'Oslo' },
      outputs: { value: '12C' },
      metadata: { tool_name: 'get_weather' },
    });
  });

  it('count the usage of an agent apart', () => {
    const { metadata } = mapAttributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cost': 0.5,
    });
    expect(metadata['aggregate_usage']).toEqual({
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      cost: 0.5,
    });
    expect(metadata['prompt_tokens']).toBeUndefined();
  });

  it('give the texts of an embedding as its input', () => {
    const event = mapAttributes({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.input.messages': 'a text',
      'gen_ai.usage.input_tokens': 8,
    });
    expect(event).toMatchObject({
      event_type: 'model',
      inputs: { input: 'a text' },
      metadata: { prompt_tokens: 8 },
    });
  });
});
