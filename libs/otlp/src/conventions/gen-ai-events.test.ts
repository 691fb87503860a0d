import { mapOne } from '../../test/map-one.js';

const chat = { 'gen_ai.operation.name': 'chat' };

function fromEvents(
  ...events: { name: string; attributes?: Record<string, unknown>; timeUnixNano?: string }[]
) {
  return mapOne({ attributes: chat, events });
}

describe('message events', () => {
  it('become history and choices and are removed from the span events', () => {
    const event = fromEvents(
      { name: 'gen_ai.system.message', attributes: { content: 'be brief', 'gen_ai.system': 'openai' } },
      { name: 'gen_ai.user.message', attributes: { content: 'hi' } },
      {
        name: 'gen_ai.choice',
        attributes: { index: 0, finish_reason: 'stop', message: '{"role":"assistant","content":"yo"}' },
      },
    );
    expect(event.inputs['chat_history']).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
    ]);
    expect(event.outputs).toEqual({ role: 'assistant', content: 'yo', finish_reason: 'stop' });
    expect(event.metadata).toMatchObject({ finish_reasons: ['stop'] });
    expect(event.metadata['otel']).not.toHaveProperty('events');
  });

  it('are ordered by time, and choices by their index', () => {
    const event = fromEvents(
      { name: 'gen_ai.user.message', timeUnixNano: '2000000', attributes: { content: 'second' } },
      { name: 'gen_ai.user.message', timeUnixNano: '1000000', attributes: { content: 'first' } },
      { name: 'gen_ai.choice', attributes: { index: 1, message: 'b' } },
      { name: 'gen_ai.choice', attributes: { index: 0, message: 'a' } },
    );
    expect(event.inputs['chat_history']).toMatchObject([{ content: 'first' }, { content: 'second' }]);
    expect(event.outputs).toMatchObject({ content: 'a', choices: [{ content: 'a' }, { content: 'b' }] });
  });

  it('hold calls of tools, flattened or as JSON, and their ids', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const event = fromEvents(
      { name: 'gen_ai.assistant.message', attributes: { tool_calls: JSON.stringify([call]) } },
      { name: 'gen_ai.tool.message', attributes: { id: 'c1', content: 'done' } },
      {
        name: 'gen_ai.choice',
        attributes: {
          'message.content': 'ok',
          'tool_calls.0.id': 'c2',
          'tool_calls.0.function.name': 'g',
          'tool_calls.0.function.arguments': '{}',
        },
      },
    );
    expect(event.inputs['chat_history']).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
      { role: 'tool', content: 'done', tool_call_id: 'c1' },
    ]);
    expect(event.outputs).toEqual({
      role: 'assistant',
      content: 'ok',
      tool_calls: [{ id: 'c2', name: 'g', arguments: {} }],
    });
  });

  it('may carry their body in one attribute', () => {
    const event = fromEvents(
      { name: 'gen_ai.user.message', attributes: { 'gen_ai.event.content': '{"content":"hi"}' } },
      {
        name: 'gen_ai.choice',
        attributes: {
          'gen_ai.event.content': '{"index":0,"finish_reason":"stop","message":{"content":"yo"}}',
        },
      },
    );
    expect(event).toMatchObject({
      inputs: { chat_history: [{ role: 'user', content: 'hi' }] },
      outputs: { content: 'yo', finish_reason: 'stop' },
    });
  });

  it('may hold blocks of Bedrock', () => {
    const event = fromEvents(
      {
        name: 'gen_ai.assistant.message',
        attributes: {
          content: JSON.stringify([
            { text: 'look' },
            { toolUse: { toolUseId: 't1', name: 'f', input: { a: 1 } } },
          ]),
        },
      },
      {
        name: 'gen_ai.tool.message',
        attributes: {
          content: JSON.stringify([
            { toolResult: { toolUseId: 't1', status: 'success', content: [{ text: 'fine' }] } },
          ]),
        },
      },
      {
        name: 'gen_ai.choice',
        attributes: {
          finish_reason: 'end_turn',
          message: JSON.stringify([
            { reasoningContent: { reasoningText: { text: 'hm' } } },
            { text: 'Fine' },
          ]),
        },
      },
    );
    expect(event.inputs['chat_history']).toEqual([
      { role: 'assistant', content: 'look', tool_calls: [{ id: 't1', name: 'f', arguments: { a: 1 } }] },
      { role: 'tool', content: 'fine', tool_call_id: 't1', details: [{ status: 'success' }] },
    ]);
    expect(event.outputs).toEqual({
      role: 'assistant',
      content: 'Fine',
      reasoning: 'hm',
      finish_reason: 'end_turn',
    });
  });

  it('rank below messages on the span', () => {
    const event = mapOne({
      attributes: { ...chat, 'gen_ai.input.messages': 'from the span' },
      events: [{ name: 'gen_ai.user.message', attributes: { content: 'from an event' } }],
    });
    expect(event.inputs['chat_history']).toEqual([{ role: 'user', content: 'from the span' }]);
  });
});

describe('content events', () => {
  it('are messages, or the text of a message', () => {
    const event = fromEvents(
      { name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': '[{"role":"user","content":"hi"}]' } },
      { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': 'yo' } },
    );
    expect(event).toMatchObject({
      inputs: { chat_history: [{ role: 'user', content: 'hi' }] },
      outputs: { role: 'assistant', content: 'yo' },
    });
  });

  it('without content remain span events', () => {
    expect(fromEvents({ name: 'gen_ai.content.prompt' }).metadata['otel']).toMatchObject({
      events: [{ name: 'gen_ai.content.prompt' }],
    });
  });
});

describe('evaluation events', () => {
  const result = (name: string, facts: Record<string, unknown>, timeUnixNano = '1000000') => ({
    name: 'gen_ai.evaluation.result',
    timeUnixNano,
    attributes: {
      'gen_ai.evaluation.name': name,
      ...Object.fromEntries(Object.entries(facts).map(([key, value]) => [`gen_ai.evaluation.${key}`, value])),
    },
  });

  it('become metrics, the last of each name, with all details in the metadata', () => {
    const event = fromEvents(
      result(
        'relevance',
        { 'score.value': 0.9, 'score.label': 'good', explanation: 'to the point' },
        '2000000',
      ),
      result('relevance', { 'score.value': 0.1 }),
      result('toxicity', { 'score.label': 'none' }),
    );
    expect(event.metrics).toEqual({ relevance: 0.9, toxicity: 'none' });
    expect(event.metadata['evaluations']).toEqual([
      { name: 'relevance', score: 0.1 },
      { name: 'toxicity', score: 'none', label: 'none' },
      { name: 'relevance', score: 0.9, label: 'good', explanation: 'to the point' },
    ]);
  });

  it('without a evaluation stay events', () => {
    expect(fromEvents(result('relevance', {})).metadata['otel']).toMatchObject({
      events: [{ name: 'gen_ai.evaluation.result' }],
    });
  });
});
