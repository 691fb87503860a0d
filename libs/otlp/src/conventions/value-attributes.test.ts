import { valueAttributes } from './value-attributes.js';

describe('the attributes that carry values', () => {
  it('are those that conventions read as inputs, outputs or error text', () => {
    expect(valueAttributes()).toEqual(
      expect.arrayContaining(['gen_ai.input.messages', 'input.value', 'exception.message', 'prompt']),
    );
  });

  it('are not those that name models, users or counts', () => {
    for (const key of ['gen_ai.request.model', 'gen_ai.usage.input_tokens', 'user.id', 'session.id']) {
      expect(valueAttributes()).not.toContain(key);
    }
  });
});
