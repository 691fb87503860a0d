import { mapDatapoint, newDatapoint } from './datapoint.js';

const message = { role: 'user', content: 'Hello' };

describe('a datapoint', () => {
  it('of an object has each key where the mapping names it, and the rest as metadata', () => {
    const object = { question: 'q', chat: [message], answer: 'a', source: 'web', n: 1 };
    const mapping = { inputs: ['question', 'missing'], history: ['chat'], ground_truth: ['answer'] };
    expect(mapDatapoint(object, mapping, 'data[0]')).toEqual({
      inputs: { question: 'q' },
      history: [message],
      ground_truth: { answer: 'a' },
      metadata: { source: 'web', n: 1 },
      linked_event: null,
    });
  });

  it('has neither ground truth nor metadata if no keys remain', () => {
    expect(mapDatapoint({ q: 1 }, { inputs: ['q'] }, 'data[0]')).toMatchObject({
      ground_truth: null,
      metadata: null,
      history: [],
    });
  });

  it('contains a key twice if it is named twice', () => {
    expect(mapDatapoint({ q: 1 }, { inputs: ['q'], ground_truth: ['q'] }, 'data[0]')).toMatchObject({
      inputs: { q: 1 },
      ground_truth: { q: 1 },
    });
  });

  it.each([['text'], [5], [{ role: 'user' }], [['text']]])('is rejected if its history is %j', (chat) => {
    expect(() => mapDatapoint({ chat }, { history: ['chat'] }, 'data[3]')).toThrow(
      /^data\[3\] must have a list of messages/,
    );
  });

  it('keeps keys such as __proto__ as data', () => {
    const object = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}') as { toString: never };
    const mapped = mapDatapoint(
      object,
      { inputs: ['__proto__', 'hasOwnProperty'], history: ['valueOf'] },
      'data[0]',
    );
    expect(JSON.stringify([mapped.inputs, mapped.metadata])).toBe(
      '[{"__proto__":{"a":1}},{"constructor":2,"toString":3}]',
    );
  });

  it('of an empty object has empty inputs and history', () => {
    expect(newDatapoint({})).toEqual({
      inputs: {},
      history: [],
      ground_truth: null,
      metadata: null,
      linked_event: null,
    });
  });
});
