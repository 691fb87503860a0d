import { History, type Operation, type OperationKind, type Outcome } from './history.js';
import { judgeHistory, type Observed, type ViolationKind } from './judge-history.js';
import { fieldsOf } from './observed-fields.js';

/** A history in which each operation begins after the one before it has ended. */
function historyOf(...steps: [OperationKind, string, Outcome, object?][]): readonly Operation[] {
  let clock = 0;
  const history = new History(() => ++clock);
  for (const [kind, id, outcome, body] of steps) history.begin(kind, id, body)(outcome);
  return history.operations;
}

const row = (id: string, body: object): Observed => ({ id, fields: fieldsOf(body) });

function judge(operations: readonly Operation[], ...rows: Observed[]): [ViolationKind, string | undefined][] {
  return judgeHistory(operations, rows).map(({ kind, field }) => [kind, field]);
}

const CREATED = ['create', 'a', 'ok', { event_name: 'x', metadata: { k: 1 } }] as const;
const created = (): [OperationKind, string, Outcome, object?] => [...CREATED];
const asCreated = { event_name: 'x', metadata: { k: 1 } };

describe('judgeHistory finds no violation when it', () => {
  it('sees every acknowledged event once, with its fields in any order', () => {
    expect(
      judge(
        historyOf(created()),
        row('a', { metadata: { k: 1 }, event_name: 'x', inputs: {}, start_time: 5 }),
      ),
    ).toEqual([]);
    const nested = historyOf(['create', 'a', 'ok', { metadata: { k: { p: 1, q: 2 } } }]);
    expect(judge(nested, row('a', { metadata: { k: { q: 2, p: 1 } } }))).toEqual([]);
  });

  it('sees the last acknowledged value of every field, updates before creates', () => {
    const operations = historyOf(
      created(),
      ['update', 'a', 'ok', { metadata: { k: 2 }, outputs: { o: 1 } }],
      ['update', 'a', 'ok', { metadata: { k: 3 } }],
      created(),
    );
    expect(judge(operations, row('a', { event_name: 'x', metadata: { k: 3 }, outputs: { o: 1 } }))).toEqual(
      [],
    );
  });

  it('sees or misses changes of unknown outcome', () => {
    const operations = historyOf(
      created(),
      ['update', 'a', 'unknown', { metadata: { k: 2, l: 2 } }],
      ['create', 'b', 'unknown', {}],
    );
    expect(judge(operations, row('a', asCreated))).toEqual([]);
    expect(judge(operations, row('a', { event_name: 'x', metadata: { k: 2, l: 2 } }), row('b', {}))).toEqual(
      [],
    );
  });

  it('sees an update of unknown outcome after a later acknowledged one', () => {
    const operations = historyOf(
      created(),
      ['update', 'a', 'unknown', { metrics: { m: 1 } }],
      ['update', 'a', 'ok', { metrics: { m: 2 } }],
    );
    expect(judge(operations, row('a', { ...asCreated, metrics: { m: 1 } }))).toEqual([]);
    expect(judge(operations, row('a', { ...asCreated, metrics: { m: 2 } }))).toEqual([]);
  });

  it('sees either value of updates that overlapped', () => {
    let clock = 0;
    const history = new History(() => ++clock);
    history.begin('create', 'a', asCreated)('ok');
    const first = history.begin('update', 'a', { metrics: { m: 1 } });
    const second = history.begin('update', 'a', { metrics: { m: 2 } });
    second('ok');
    first('ok');
    for (const m of [1, 2])
      expect(judge(history.operations, row('a', { ...asCreated, metrics: { m } }))).toEqual([]);
  });

  it('sees no deleted event and no rejected create', () => {
    expect(
      judge(historyOf(created(), ['delete', 'a', 'ok'], created(), ['create', 'b', 'fail', {}])),
    ).toEqual([]);
  });

  it('sees or misses an event whose delete has an unknown outcome', () => {
    const operations = historyOf(created(), ['delete', 'a', 'unknown']);
    expect(judge(operations)).toEqual([]);
    expect(judge(operations, row('a', asCreated))).toEqual([]);
  });

  it('sees or misses an event whose create is in progress', () => {
    const history = new History(() => 1);
    history.begin('create', 'a', asCreated);
    expect(judge(history.operations)).toEqual([]);
    expect(judge(history.operations, row('a', asCreated))).toEqual([]);
  });

  it('sees fields that the server adds', () => {
    const rows = [row('a', { ...asCreated, metadata: { k: 1, num_events: 3 } })];
    expect(judgeHistory(historyOf(created()), rows, new Set(['metadata.num_events']))).toEqual([]);
  });
});

describe('judgeHistory reports a violation', () => {
  it('when an acknowledged event is lost', () => {
    expect(judge(historyOf(created()))).toEqual([['lost event', undefined]]);
  });

  it('when an event is visible twice', () => {
    expect(judge(historyOf(created()), row('a', asCreated), row('a', asCreated))).toEqual([
      ['duplicate event', undefined],
    ]);
    const maybe = historyOf(['create', 'b', 'unknown', {}]);
    expect(judge(maybe, row('b', {}), row('b', {}))).toEqual([['duplicate event', undefined]]);
  });

  it('when a deleted event is visible, also after a later create', () => {
    expect(judge(historyOf(created(), ['delete', 'a', 'ok'], created()), row('a', asCreated))).toEqual([
      ['resurrected event', undefined],
    ]);
  });

  it('when an event was never created', () => {
    expect(judge(historyOf(created()), row('a', asCreated), row('z', {}))).toEqual([
      ['invented event', undefined],
    ]);
    expect(judge(historyOf(['create', 'a', 'fail', {}]), row('a', {}))).toEqual([
      ['invented event', undefined],
    ]);
    expect(judge(historyOf(['update', 'a', 'ok', {}]), row('a', {}))).toEqual([
      ['invented event', undefined],
    ]);
  });

  it('when a value is stale', () => {
    const updates = historyOf(
      created(),
      ['update', 'a', 'ok', { metrics: { m: 1 } }],
      ['update', 'a', 'ok', { metrics: { m: 2 } }],
    );
    expect(judge(updates, row('a', { ...asCreated, metrics: { m: 1 } }))).toEqual([
      ['stale value', 'metrics.m'],
    ]);
    const resent = historyOf(created(), ['update', 'a', 'ok', { metadata: { k: 2 } }], created());
    expect(judge(resent, row('a', asCreated))).toEqual([['stale value', 'metadata.k']]);
    const twice = historyOf(created(), ['create', 'a', 'ok', { event_name: 'y' }]);
    expect(judge(twice, row('a', asCreated))).toEqual([['stale value', 'event_name']]);
  });

  it('when a key of an update is lost', () => {
    const operations = historyOf(created(), ['update', 'a', 'ok', { metrics: { m: 1, n: 2 } }]);
    expect(judge(operations, row('a', { ...asCreated, metrics: { m: 1 } }))).toEqual([
      ['lost field', 'metrics.n'],
    ]);
    expect(judge(historyOf(created()), row('a', { event_name: 'x' }))).toEqual([
      ['lost field', 'metadata.k'],
    ]);
  });

  it('when a rejected update is visible', () => {
    const operations = historyOf(created(), [
      'update',
      'a',
      'fail',
      { metadata: { k: 9, l: 9 }, outputs: { o: 9 } },
    ]);
    expect(
      judge(operations, row('a', { event_name: 'x', metadata: { k: 9, l: 9 }, outputs: { o: 9 } })),
    ).toEqual([
      ['refused value', 'metadata.k'],
      ['refused value', 'metadata.l'],
      ['refused value', 'outputs'],
    ]);
  });

  it('when a value or a key is invented', () => {
    expect(judge(historyOf(created()), row('a', { event_name: 'x', metadata: { k: 7 } }))).toEqual([
      ['invented value', 'metadata.k'],
    ]);
    expect(judge(historyOf(created()), row('a', { ...asCreated, feedback: { f: 1 } }))).toEqual([
      ['invented field', 'feedback.f'],
    ]);
  });

  it('when it differs deep inside a long value', () => {
    const long = (end: string) => ({ inputs: { text: 'x'.repeat(10_000) + end } });
    expect(judge(historyOf(['create', 'a', 'ok', long('1')]), row('a', long('2')))).toEqual([
      ['invented value', 'inputs'],
    ]);
  });
});

describe('the outcome of an operation', () => {
  it('can be set only once', () => {
    const done = new History(() => 1).begin('create', 'a');
    done('ok');
    expect(() => done('fail')).toThrow('has an outcome already');
  });
});
