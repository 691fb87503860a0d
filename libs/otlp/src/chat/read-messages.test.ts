import { mapAttributes } from '../../test/map-one.js';
import { readMessages } from './read-messages.js';

const lc = (name: string, kwargs: Record<string, unknown>) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', name],
  kwargs,
});
const read = (value: unknown) => readMessages(JSON.stringify(value), 'user');
const chat = (attributes: Record<string, unknown>) =>
  mapAttributes({ 'gen_ai.operation.name': 'chat', ...attributes });

describe('messages', () => {
  it.each<[string, unknown, unknown[]]>([
    ['with a role and a text', [{ role: 'user', text: 'hi' }], [{ role: 'user', content: 'hi' }]],
    [
      'that LangChain has serialised, one list in a list',
      { messages: [[lc('HumanMessage', { content: 'hi', type: 'human', additional_kwargs: {} })]] },
      [{ role: 'user', content: 'hi' }],
    ],
    [
      'of a tool with an id of its own beside that of the call',
      [
        { type: 'tool', content: 'x', id: 'own', tool_call_id: 'call' },
        { role: 'tool', content: 'y', id: 'call' },
      ],
      [
        { role: 'tool', content: 'x', tool_call_id: 'call', details: [{ id: 'own' }] },
        { role: 'tool', content: 'y', tool_call_id: 'call' },
      ],
    ],
    [
      'of LangChain with calls that are listed twice',
      [
        lc('AIMessageChunk', {
          content: '',
          tool_calls: [{ id: 'c', name: 'f', args: { a: 1 }, type: 'tool_call' }],
          additional_kwargs: {
            tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":1}' }, type: 'function' }],
          },
          response_metadata: { finish_reason: 'tool_calls' },
        }),
      ],
      [
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', name: 'f', arguments: { a: 1 } }],
          finish_reason: 'tool_calls',
          details: [{ response_metadata: { finish_reason: 'tool_calls' } }],
        },
      ],
    ],
    [
      'of LangChain as dictionaries',
      [
        { type: 'human', data: { content: 'hi' } },
        { type: 'ai', content: 'ho' },
      ],
      [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'ho' },
      ],
    ],
    [
      'of Gemini, candidates with thoughts',
      {
        candidates: [
          {
            content: { role: 'model', parts: [{ thought: true, text: 'hm' }, { text: 'ho' }] },
            finishReason: 'STOP',
          },
        ],
      },
      [{ role: 'assistant', content: 'ho', reasoning: 'hm', finish_reason: 'STOP' }],
    ],
    [
      'of a server tool',
      [
        {
          role: 'assistant',
          parts: [
            { type: 'server_tool_call', id: 's', name: 'search', server_tool_call: { query: 'rain' } },
            { type: 'server_tool_call_response', id: 's', server_tool_call_response: { hits: 1 } },
          ],
        },
      ],
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 's', name: 'search', arguments: { query: 'rain' }, type: 'server' }],
        },
        { role: 'tool', content: '{"hits":1}', tool_call_id: 's' },
      ],
    ],
  ])('%s', (_, value, expected) => expect(read(value)).toEqual(expected));

  it.each([
    [{ question: 'Where?' }],
    [{ question: 'Which?', choices: ['a', 'b'] }],
    [[{ id: 1 }, { id: 2 }]],
    [{ lc: 1, type: 'not_implemented', id: ['x'] }],
  ])('are not read from %j', (value) => expect(read(value)).toBeUndefined());

  it('are the generations of a response of LangChain', () => {
    const message = lc('AIMessage', { content: 'Seven degrees.', type: 'ai' });
    const { outputs } = chat({
      'gen_ai.completion': JSON.stringify({
        generations: [
          [
            {
              text: 'Seven degrees.',
              type: 'ChatGeneration',
              message,
              generation_info: { finish_reason: 'stop' },
            },
          ],
        ],
        llm_output: null,
      }),
    });
    expect(outputs).toEqual({ role: 'assistant', content: 'Seven degrees.', finish_reason: 'stop' });
  });

  it.each([
    ['gen_ai.prompt', 'inputs'],
    ['gen_ai.input.messages', 'inputs'],
    ['gen_ai.completion', 'outputs'],
    ['gen_ai.output.messages', 'outputs'],
  ] as const)('an object in %s that is none is the %s itself, on every event type', (key, bucket) => {
    for (const operation of ['chat', 'execute_tool', 'invoke_agent']) {
      const event = mapAttributes({ 'gen_ai.operation.name': operation, [key]: '{"question":"Where?"}' });
      expect(event[bucket]).toEqual({ question: 'Where?' });
      expect(event.metadata).not.toHaveProperty(key);
    }
  });
});

describe('tool calls of one message', () => {
  const calls = (list: unknown[]) =>
    read([{ role: 'assistant', content: 'x', tool_calls: list }])?.[0]?.['tool_calls'];

  it('with one id are one call that has the fields of both', () =>
    expect(
      calls([
        { id: 'c', name: 'f' },
        { id: 'c', name: 'f', arguments: '{}', extra: 1 },
      ]),
    ).toEqual([{ id: 'c', name: 'f', arguments: {}, extra: 1 }]));

  it('with one id and different arguments, or without ids, are several', () => {
    expect(
      calls([
        { id: 'c', name: 'f', arguments: '{"a":1}' },
        { id: 'c', name: 'f', arguments: '{"a":2}' },
      ]),
    ).toHaveLength(2);
    expect(calls([{ name: 'f' }, { name: 'f' }])).toHaveLength(2);
  });
});

describe('messages whose JSON was cut', () => {
  const history = [
    { role: 'system', parts: [{ type: 'text', content: 'Be "brief" \\ now.' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Where is my parcel?' }] },
  ];
  const whole = JSON.stringify(history);

  it('are read up to the cut, and the rest is kept', () => {
    const first = JSON.stringify(history[0]).length + 1;
    for (let length = 2; length < whole.length - 1; length++) {
      const { inputs, metadata } = chat({ 'gen_ai.input.messages': whole.slice(0, length) });
      const messages = length >= first ? [{ role: 'system', content: 'Be "brief" \\ now.' }] : undefined;
      expect(inputs['chat_history']).toEqual(messages);
      expect(metadata['truncated']).toEqual(['gen_ai.input.messages']);
      const rest = whole.slice(messages === undefined ? 1 : Math.min(first + 1, length), length);
      expect(metadata['gen_ai.input.messages'] ?? '').toBe(rest);
    }
  });

  it.each([
    ['ai.prompt.messages', '[{"role":"user","content":"Hel', 'inputs'],
    ['ai.prompt', '{"messages":[{"role":"user","content":"Hel', 'inputs'],
    ['gen_ai.completion', '[{"role":"assistant","content":"Hel', 'outputs'],
  ] as const)('are no message of %s', (key, text, bucket) => {
    const event = mapAttributes({ 'ai.operationId': 'ai.generateText', [key]: text });
    expect(JSON.stringify(event[bucket])).not.toContain('Hel');
    expect(JSON.stringify(event.metadata[key])).toContain('Hel');
  });

  it.each(['[not JSON', '{braces} are common', '[{x}] done', '[1, 2'])(
    'are not %j, which is a text',
    (text) =>
      expect(chat({ 'gen_ai.input.messages': text }).inputs['chat_history']).toEqual([
        { role: 'user', content: text },
      ]),
  );
});

describe('bytes of media', () => {
  const png = { 0: 0x89, 1: 0x50, 2: 0x4e, 3: 0x47, 4: 0x0d };
  const url = `data:image/png;base64,${Buffer.from(Object.values(png)).toString('base64')}`;

  it.each([
    [{ type: 'image', image: png }],
    [{ type: 'image', image: { type: 'Buffer', data: Object.values(png) } }],
    [{ type: 'file', mediaType: 'image/png', data: png }],
    [{ type: 'image', image: Object.values(png) }],
  ])('in %j are a data URL', (part) => {
    const content = read([{ role: 'user', content: [part] }])?.[0]?.content as { url: string }[];
    expect(content[0]?.url).toBe(url);
  });

  it.each([{ 0: 1, 1: 2 }, { 0: 300, 1: 2, 2: 3, 3: 4 }, { a: 1 }])('are not %j', (image) => {
    const content = read([{ role: 'user', content: [{ type: 'image', image }] }])?.[0]?.content as {
      url?: string;
    }[];
    expect(content[0]?.url).toBeUndefined();
  });
});
