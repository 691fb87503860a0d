import { acceptUpdate } from './accept-update.js';

describe('an update', () => {
  it('sets the sent fields and no others', () => {
    expect(acceptUpdate({})).toEqual({});
    expect(acceptUpdate({ metrics: { f1: 0.5 }, duration: 7, end_time: 9 })).toEqual({
      metrics: { f1: 0.5 },
      duration: 7,
      end_time: 9,
    });
  });

  it('ignores unknown names', () => {
    const sent = { inputs: { q: 1 }, error: 'x', event_name: 'y', metadata: { a: 1 } };
    expect(acceptUpdate(sent)).toEqual({ metadata: { a: 1 } });
  });

  it('keeps the outputs on null and wraps a value that is not an object', () => {
    expect(acceptUpdate({ outputs: null })).toEqual({});
    expect(acceptUpdate({ outputs: ['a'] })).toEqual({ outputs: { value: ['a'] } });
    expect(acceptUpdate({ outputs: 0 })).toEqual({ outputs: { value: 0 } });
    expect(acceptUpdate({ outputs: {} })).toEqual({ outputs: {} });
  });

  it('ignores an empty list of children', () => {
    expect(acceptUpdate({ children_ids: [] })).toEqual({});
    expect(acceptUpdate({ children_ids: ['a'] })).toEqual({ children_ids: ['a'] });
  });

  it('moves the ground truth to the feedback', () => {
    expect(acceptUpdate({ metadata: { ground_truth: 'x' } })).toEqual({
      metadata: {},
      feedback: { ground_truth: 'x' },
    });
  });

  it('scales times, and rejects negative ones', () => {
    expect(acceptUpdate({ end_time: 1_795_255_200_000_000 })).toEqual({ end_time: 1_795_255_200_000 });
    expect(() => acceptUpdate({ end_time: -5 })).toThrow(/^end_time .*milliseconds/);
  });

  it('has clean text, and rejects U+0000 in keys and more than 10 MB', () => {
    expect(acceptUpdate({ metadata: { a: '\ud800' }, children_ids: ['\0'] })).toEqual({
      metadata: { a: '\ufffd' },
      children_ids: ['\ufffd'],
    });
    expect(() => acceptUpdate({ feedback: { a: { '\0': 1 } } })).toThrow(
      'feedback.a must not have a key that contains U+0000',
    );
    expect(() => acceptUpdate({ feedback: { a: 'x'.repeat(10_485_760) } })).toThrow(
      /^the update must not be larger than 10 MB/,
    );
  });
});
