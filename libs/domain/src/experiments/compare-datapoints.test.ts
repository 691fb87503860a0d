import { runSync } from '../../test/experiments/run-sync.js';
import {
  compareDatapoints,
  countDatapoints,
  selectDatapoints,
  type CompareDatapointsInput,
} from './compare-datapoints.js';
import type { RunSession } from './run-events.js';

const session = (
  datapointId: string | undefined,
  metrics: Record<string, number | boolean>,
  hasError = false,
) => {
  const sessionId = `s-${datapointId}`;
  const event = {
    eventId: `e-${datapointId}`,
    sessionId,
    eventName: 'answer',
    eventType: 'chain',
    startTime: 1,
    runId: 'r',
    datapointId: '',
    metrics,
    isSelected: true,
    hasError,
    composites: [],
  };
  return { sessionId, ...(datapointId !== undefined && { datapointId }), events: [event] } as RunSession;
};
const RULES = { metrics: new Map(), passingRanges: new Map([['score', { min: 0.5 }]]) };
const OLD = [
  session('a', { score: 1 }),
  session('b', { score: 0.5 }),
  session('c', { score: 0.25 }),
  session('d', {}, true),
  session('gone', { score: 1 }),
  session(undefined, { score: 1 }),
];
const NEW = [
  session('a', { score: 0.75 }),
  session('b', { score: 0.5 }, true),
  session('c', { score: 1 }),
  session('d', { score: 1 }),
  session('added', { score: 1 }),
  session('a', { score: 0.25 }),
];
const compare = (fields: Partial<CompareDatapointsInput> = {}) =>
  runSync(
    compareDatapoints({
      oldSessions: OLD,
      newSessions: NEW,
      rules: RULES,
      metric: 'score',
      sort: 'loss',
      ...fields,
    }),
  );

describe('the datapoints of two runs', () => {
  it('are compared by one metric, the largest loss first', () => {
    const rows = compare();
    expect(rows.map((row) => [row.datapointId, row.delta, row.outcome, row.hasError])).toEqual([
      ['a', -0.5, 'worse', false],
      ['b', 0, 'same', true],
      ['c', 0.75, 'better', false],
      ['added', null, 'missing', false],
      ['d', null, 'missing', true],
      ['gone', null, 'missing', false],
    ]);
    expect(rows[0]?.new).toMatchObject({
      ...{ score: 0.5, scores: { score: 0.5 }, trials: 2, trial: { sessionId: 's-a' } },
      spread: Math.SQRT1_2 / 2,
    });
    expect(rows[3]).not.toHaveProperty('old');
    expect(countDatapoints(rows)).toEqual({ worse: 1, better: 1, same: 1, missing: 3, error: 2 });
  });

  it.each([
    ['gain', ['c', 'b', 'a', 'added', 'd', 'gone']],
    ['datapoint', ['a', 'b', 'c', 'd', 'gone', 'added']],
  ] as const)('are sorted by %s', (sort, ids) => {
    expect(compare({ sort }).map((row) => row.datapointId)).toEqual(ids);
  });

  it('follow the direction of the metric', () => {
    const rule = { name: 'score', type: 'PYTHON', direction: 'lower' } as never;
    const rows = compare({ rules: { ...RULES, metrics: new Map([['score', rule]]) } });
    expect(rows.slice(0, 3).map((row) => [row.datapointId, row.outcome])).toEqual([
      ['c', 'worse'],
      ['b', 'same'],
      ['a', 'better'],
    ]);
  });

  it('are compared by passing without a metric', () => {
    const rows = compare({ metric: undefined });
    expect(rows.filter((row) => row.delta !== null).map((row) => [row.datapointId, row.delta])).toEqual([
      ['a', -1],
      ['b', 0],
      ['c', 1],
      ['d', 1],
    ]);
  });

  it.each(['toString', 'constructor', '__proto__'])('miss a metric %s that no event has', (metric) => {
    const rows = compare({ metric });
    expect(rows.map((row) => [row.delta, row.outcome])).toEqual(Array(6).fill([null, 'missing']));
    expect(rows[0]?.new).not.toHaveProperty('score');
  });

  it('have a finite difference of scores of any size', () => {
    const rows = compare({
      oldSessions: [session('a', { score: -1.7e308 })],
      newSessions: [session('a', { score: 1.7e308 })],
    });
    expect(rows.map((row) => [row.delta, row.outcome])).toEqual([[Number.MAX_VALUE, 'better']]);
  });

  // Copying the scores for each session would move five billion numbers.
  it('are averaged over 100,000 sessions on one datapoint', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => session('a', { score: index % 2 }));
    const rows = compare({ oldSessions: many, newSessions: NEW });
    expect(rows[0]).toMatchObject({ datapointId: 'a', old: { score: 0.5 }, new: { score: 0.5 }, delta: 0 });
  });

  it('are selected by verdicts and errors', () => {
    const ids = (...only: Parameters<typeof selectDatapoints>[1]) =>
      selectDatapoints(compare(), only).map((row) => row.datapointId);
    expect(ids('worse', 'better')).toEqual(['a', 'c']);
    expect(ids('error')).toEqual(['b', 'd']);
    expect(ids()).toHaveLength(6);
  });
});
