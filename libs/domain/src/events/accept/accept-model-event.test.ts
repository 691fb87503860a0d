import { modelEventInput } from './accept-model-event.js';

describe('a model event', () => {
  test('becomes an event of type model, with every value in the field where readers expect it', () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const sent = {
      model_name: 'gpt-4o',
      model_version: '2026-05-13',
      messages,
      response: { role: 'assistant', content: 'Hi' },
      provider: 'openai',
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, odd: 'x' },
      cost: 0.01,
      hyperparameters: { temperature: 0 },
      tools: [],
      duration: 12,
      error: 'slow',
      session_id: 's',
    };
    const { usage, cost, hyperparameters, tools } = sent;
    expect(modelEventInput(sent)).toMatchObject({
      event_type: 'model',
      event_name: 'gpt-4o',
      session_id: 's',
      duration: 12,
      error: 'slow',
      inputs: {
        messages,
        chat_history: messages,
        provider: 'openai',
        usage,
        cost,
        hyperparameters,
        tools,
        duration: 12,
        error: 'slow',
      },
      outputs: { response: { role: 'assistant', content: 'Hi' } },
      config: { model: 'gpt-4o', provider: 'openai' },
      metadata: {
        model_name: 'gpt-4o',
        model_version: '2026-05-13',
        cost: 0.01,
        prompt_tokens: 3,
        completion_tokens: 2,
        total_tokens: 5,
      },
    });
  });

  test('keeps values that the client sends in the open objects', () => {
    const sent = {
      model: 'a',
      config: { model: 'b' },
      metadata: { cost: 9 },
      cost: 1,
      inputs: { chat_history: [], q: 1 },
      messages: [1],
    };
    expect(modelEventInput(sent)).toMatchObject({
      config: { model: 'b' },
      metadata: { model_name: 'a', cost: 9 },
      inputs: { chat_history: [], q: 1, messages: [1] },
    });
  });

  test('wraps outputs that are not an object, beside the response', () => {
    expect(modelEventInput({ model: 'a', outputs: [1], response: 'x' }).outputs).toEqual({
      value: [1],
      response: 'x',
    });
    expect(modelEventInput({ model: 'a', outputs: [1] }).outputs).toEqual([1]);
  });

  test('requires the name of a model or of the event', () => {
    expect(modelEventInput({ event_name: 'answer' })).toMatchObject({
      event_name: 'answer',
      config: {},
      metadata: {},
    });
    expect(() => modelEventInput({}, 'model_event.')).toThrow(
      'model_event.model_name or model_event.event_name is required',
    );
  });
});
