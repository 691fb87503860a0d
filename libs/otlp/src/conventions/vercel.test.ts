import { mapAttributes, mapOne, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { vercel } from './vercel.js';

const STREAM = { 'ai.operationId': 'ai.streamText.doStream' };
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const text = (key: string, path: string): TableCase => [key, 'some text', path, 'some text'];
const count = (key: string, path: string): TableCase => [key, 7, path, 7];

const cases: TableCase[] = [
  ['ai.operationId', 'ai.generateText', 'metadata.operation_id', 'ai.generateText'],
  ['operation.name', 'ai.toolCall my-function', 'metadata.operation.name', 'ai.toolCall my-function'],
  text('ai.model.id', 'config.model'),
  ['ai.model.provider', 'openai.chat', 'config.provider', 'openai'],
  ['ai.model.provider', 'google.generative-ai', 'config.provider', 'gcp.gen_ai'],
  ['ai.model.provider', 'google.vertex.chat', 'config.provider', 'gcp.vertex_ai'],
  ['ai.model.provider', 'amazon-bedrock', 'config.provider', 'aws.bedrock'],
  ['ai.model.provider', 'azure.chat', 'config.provider', 'azure.ai.openai'],
  text('ai.telemetry.functionId', 'metadata.function_id'),
  text('resource.name', 'metadata.function_id'),
  ...['ai.telemetry.metadata', 'ai.settings.context', 'ai.settings.runtimeContext'].flatMap(
    (prefix): TableCase[] => [
      [`${prefix}.sessionId`, UUID, 'session_id', UUID],
      [`${prefix}.session_id`, UUID, 'session_id', UUID],
      [`${prefix}.threadId`, UUID, 'session_id', UUID],
      [`${prefix}.userId`, 'u1', 'user_properties.user_id', 'u1'],
      [`${prefix}.sessionName`, 'Trip', 'metadata.sessionName', undefined],
      [`${prefix}.tags`, ['a', 'b'], 'metadata.tags', ['a', 'b']],
      [`${prefix}.tier`, 'pro', 'metadata.tier', 'pro'],
    ],
  ),
  [
    'ai.prompt.messages',
    '[{"role":"user","content":[{"type":"text","text":"hi"}]}]',
    'inputs.chat_history',
    [{ role: 'user', content: 'hi' }],
  ],
  [
    'ai.prompt',
    '{"system":"s","prompt":"hi"}',
    'inputs.chat_history',
    [
      { role: 'system', content: 's' },
      { role: 'user', content: 'hi' },
    ],
  ],
  [
    'ai.prompt',
    '{"messages":[{"role":"user","content":"hi"}]}',
    'inputs.chat_history',
    [{ role: 'user', content: 'hi' }],
  ],
  ['ai.prompt.tools', ['{"name":"f"}'], 'config.tools', [{ name: 'f' }]],
  ['ai.prompt.toolChoice', '{"type":"auto"}', 'config.tool_choice', { type: 'auto' }],
  ['ai.response.text', 'yo', 'outputs', { role: 'assistant', content: 'yo' }],
  ['ai.result.text', 'yo', 'outputs.content', 'yo'],
  [
    'ai.response.toolCalls',
    '[{"toolCallId":"c","toolName":"f","input":"{\\"a\\":1}"}]',
    'outputs.tool_calls',
    [{ id: 'c', name: 'f', arguments: { a: 1 } }],
  ],
  [
    'ai.result.toolCalls',
    '[{"toolCallId":"c","toolName":"f","args":{"a":1}}]',
    'outputs.tool_calls',
    [{ id: 'c', name: 'f', arguments: { a: 1 } }],
  ],
  ['ai.response.reasoning', 'hm', 'outputs.reasoning', 'hm'],
  ['ai.response.object', '{"a":1}', 'outputs', { role: 'assistant', content: '{"a":1}', object: { a: 1 } }],
  ['ai.result.object', '{"a":1}', 'outputs.object', { a: 1 }],
  ['ai.response.files', '[{"mediaType":"image/png"}]', 'outputs.files', [{ mediaType: 'image/png' }]],
  text('ai.toolCall.name', 'event_name'),
  text('ai.toolCall.name', 'metadata.tool_name'),
  text('ai.toolCall.id', 'metadata.tool_call_id'),
  ['ai.toolCall.args', '{"a":1}', 'inputs', { a: 1 }],
  ['ai.toolCall.result', '"done"', 'outputs.content', 'done'],
  ['ai.value', '"a text"', 'inputs.input', 'a text'],
  ['ai.values', ['"a"', '"b"'], 'inputs.input', ['a', 'b']],
  ['ai.embedding', '[0.5,1]', 'outputs.embeddings', [[0.5, 1]]],
  ['ai.embeddings', ['[0.5]', '[1]'], 'outputs.embeddings', [[0.5], [1]]],
  ['ai.documents', ['{"id":"d"}'], 'inputs.documents', [{ id: 'd' }]],
  ['ai.ranking', ['{"index":0}'], 'outputs.documents', [{ index: 0 }]],
  ['ai.response.finishReason', 'stop', 'metadata.finish_reasons', ['stop']],
  ['ai.finishReason', 'stop', 'metadata.finish_reasons', ['stop']],
  text('ai.response.id', 'metadata.response_id'),
  text('ai.response.model', 'metadata.response_model'),
  text('ai.response.timestamp', 'metadata.response_timestamp'),
  ['ai.response.providerMetadata', '{"gateway":{"cost":"0.02"}}', 'metadata.cost', 0.02],
  ['ai.response.providerMetadata', '{"openrouter":{"usage":{"cost":0.01}}}', 'metadata.cost', 0.01],
  ['ai.response.msToFirstChunk', 12.5, 'metadata.time_to_first_token_ms', 12.5],
  ['ai.response.msToFinish', 12.5, 'metadata.time_to_finish_ms', 12.5],
  ['ai.response.avgOutputTokensPerSecond', 12.5, 'metadata.output_tokens_per_second', 12.5],
  ['ai.response.avgCompletionTokensPerSecond', 12.5, 'metadata.output_tokens_per_second', 12.5],
  count('ai.usage.inputTokens', 'metadata.prompt_tokens'),
  count('ai.usage.promptTokens', 'metadata.prompt_tokens'),
  count('ai.usage.tokens', 'metadata.prompt_tokens'),
  count('ai.usage.outputTokens', 'metadata.completion_tokens'),
  count('ai.usage.completionTokens', 'metadata.completion_tokens'),
  count('ai.usage.totalTokens', 'metadata.total_tokens'),
  count('ai.usage.outputTokenDetails.reasoningTokens', 'metadata.reasoning_tokens'),
  count('ai.usage.reasoningTokens', 'metadata.reasoning_tokens'),
  count('ai.usage.inputTokenDetails.cacheReadTokens', 'metadata.cache_read_input_tokens'),
  count('ai.usage.cachedInputTokens', 'metadata.cache_read_input_tokens'),
  count('ai.usage.inputTokenDetails.cacheWriteTokens', 'metadata.cache_creation_input_tokens'),
  ['ai.usage.inputTokenDetails.noCacheTokens', 7, 'metadata.usage_details', { no_cache_input: 7 }],
  ['ai.usage.outputTokenDetails.textTokens', 7, 'metadata.usage_details', { text_output: 7 }],
  count('ai.settings.temperature', 'config.temperature'),
  count('ai.settings.maxOutputTokens', 'config.max_tokens'),
  count('ai.settings.maxTokens', 'config.max_tokens'),
  count('ai.settings.topP', 'config.top_p'),
  count('ai.settings.topK', 'config.top_k'),
  count('ai.settings.frequencyPenalty', 'config.frequency_penalty'),
  count('ai.settings.presencePenalty', 'config.presence_penalty'),
  ['ai.settings.stopSequences', ['END'], 'config.stop_sequences', ['END']],
  count('ai.settings.seed', 'config.seed'),
  count('ai.settings.maxRetries', 'config.max_retries'),
  count('ai.settings.maxSteps', 'config.max_steps'),
  text('ai.settings.output', 'config.output'),
];

describe('attributes of the Vercel AI SDK', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...STREAM, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(vercel, cases)).toEqual([]));

  it.each([
    ['ai.generateText.doGenerate', 'model'],
    ['ai.streamObject.doStream', 'model'],
    ['ai.embed.doEmbed', 'model'],
    ['ai.generateText', 'chain'],
    ['ai.embedMany', 'chain'],
    ['ai.rerank.doRerank', 'tool'],
    ['ai.toolCall', 'tool'],
  ])('the operation %s is a %s', (operation, type) => {
    expect(mapAttributes({ 'ai.operationId': operation, 'ai.model.id': 'm' }).event_type).toBe(type);
    expect(
      mapAttributes({ 'operation.name': `${operation} my-function`, 'ai.model.id': 'm' }).event_type,
    ).toBe(type);
  });
});

describe('spans of the Vercel AI SDK', () => {
  it('around others count their usage apart', () => {
    const { metadata } = mapAttributes({
      'ai.operationId': 'ai.generateText',
      'ai.usage.promptTokens': 10,
      'ai.usage.completionTokens': 3,
    });
    expect(metadata['aggregate_usage']).toEqual({
      prompt_tokens: 10,
      completion_tokens: 3,
      total_tokens: 13,
    });
  });

  it('of a tool have its arguments, its result and its name', () => {
    const event = mapAttributes({
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'weather',
      'ai.toolCall.args': '{"city":"Oslo"}',
      'ai.toolCall.result': '{"temp":12}',
    });
    expect(event).toMatchObject({
      event_type: 'tool',
      event_name: 'weather',
      inputs: { city: 'Oslo' },
      outputs: { temp: 12 },
    });
  });

  it('hold calls and results of tools in their history', () => {
    const messages = [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { a: 1 } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'text', value: 'ok' } },
        ],
      },
    ];
    expect(
      mapAttributes({ ...STREAM, 'ai.prompt.messages': JSON.stringify(messages) }).inputs['chat_history'],
    ).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] },
      { role: 'tool', content: 'ok', name: 'f', tool_call_id: 'c' },
    ]);
  });

  it('take from the events of a stream what they do not say, and keep the events', () => {
    const events = [{ name: 'ai.stream.firstChunk', attributes: { 'ai.response.msToFirstChunk': 250 } }];
    const { metadata } = mapOne({ attributes: STREAM, events });
    expect(metadata).toMatchObject({
      time_to_first_token_ms: 250,
      otel: { events: [{ name: 'ai.stream.firstChunk' }] },
    });
  });
});
