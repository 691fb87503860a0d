import { acceptUpdate, ignoredNames } from './accept-update.js';

describe('an update', () => {
  it('sets the sent fields and no others', () => {
    expect(acceptUpdate({})).toEqual({});
    expect(acceptUpdate({ metrics: { f1: 0.5 }, duration: 7, end_time: 9 })).toEqual({
      metrics: { f1: 0.5 },
      duration: 7,
      end_time: 9,
    });
  });

  it('sets what the client knows only later: inputs, error, names, type and start', () => {
    const sent = {
      inputs: { chat_history: [{ role: 'user', content: 'Hello' }] },
      error: { code: 7 },
      event_name: 'chat',
      event_type: 'tool' as const,
      source: 'daemon',
      start_time: 1_795_255_200_000_000,
    };
    const patch = { ...sent, error: '{"code":7}', start_time: 1_795_255_200_000 };
    expect([acceptUpdate(sent), ignoredNames(sent)]).toEqual([patch, []]);
  });

  it('names what it does not apply', () => {
    const sent = {
      event_type: 'session' as const,
      start_time: '2026-01-01T00:00:00Z',
      children_ids: [],
      parent_id: 'x',
      project: '',
      outputs: null,
      toString: 1,
      metadata: { a: 1 },
    };
    expect(acceptUpdate(sent)).toEqual({ metadata: { a: 1 } });
    const names = ['event_type', 'start_time', 'children_ids', 'parent_id', 'project', 'toString'];
    expect(ignoredNames(sent)).toEqual(names);
  });

  it('names at most 100 values, with at most 100 characters each', () => {
    const sent = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${'x'.repeat(500)}${n}`, n]));
    expect(ignoredNames(sent)).toEqual(Array.from({ length: 100 }, () => 'x'.repeat(100)));
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
