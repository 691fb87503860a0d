import { aRule, anEvent, aSession, RUN_ID, rulesOf } from '../../test/experiments/run-fixture.js';
import { runSync } from '../../test/experiments/run-sync.js';
import { compareRuns, type CompareRunsInput } from './compare-runs.js';
import { gate, type GateInput } from './gate.js';
import { runEvaluations, type DecidedEvents } from '../evaluators/decided-events.js';
import { pendingOf as pendingEvaluationsOf } from './run-evaluations.js';
import { sessionsOfRun, type RunEvent } from './run-events.js';

const RULES = rulesOf([aRule('q'), aRule('other'), aRule('neutral', { direction: 'none' })]);
type Scores = Record<string, number>;

/** One session for each datapoint, with one event that has the scores; without any, the session ended with an error. */
const runOf = (datapoints: readonly (Scores | 'error')[], first = 0): RunEvent[] =>
  datapoints.flatMap((scores, index) => {
    const id = `s${first + index}`;
    const fields = { datapointId: `d${first + index}`, startTime: index };
    const hasError = scores === 'error';
    return [aSession(id, { ...fields, hasError }), anEvent(id, hasError ? {} : scores, fields)];
  });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const OLD = times(30, (index) => ({ q: 0.6 + (index % 5) / 100 }));

interface Asked extends Partial<GateInput>, Pick<CompareRunsInput, 'names'> {
  readonly decided?: readonly DecidedEvents[];
}

function decide(
  old: readonly RunEvent[],
  now: readonly RunEvent[],
  { decided = [], names, ...input }: Asked = {},
) {
  const sessions = (events: readonly RunEvent[]) => sessionsOfRun(events, { runId: RUN_ID, sessionIds: [] });
  const evaluations = runEvaluations(decided);
  const comparison = runSync(
    compareRuns({
      oldRun: { sessions: sessions(old), rules: RULES },
      newRun: { sessions: sessions(now), rules: RULES, evaluations },
      aggregateFunction: 'average',
      names,
      isDirectedOnly: true,
    }),
  );
  const { metrics, lost_metrics: lost } = comparison;
  const pendingOf = (name: string) => pendingEvaluationsOf(name, [evaluations], RULES);
  return gate({ metrics, lost, names, newStatus: 'completed', pendingOf, ...input });
}

const decisions = (decision: DecidedEvents['decision'], indexes: readonly number[]): DecidedEvents => ({
  metricName: 'q',
  decision,
  events: indexes.length,
  eventIds: indexes.map((index) => `s${index}-answer`),
});

describe('a gate on a run that lacks something', () => {
  const better = (index: number) => ({ q: 0.9 + (index % 5) / 100 });

  it.each([undefined, 0])(
    'fails on datapoints that ended with an error, with max_regression %s',
    (maxRegression) => {
      const now = runOf(times(30, (index) => (index < 12 ? better(index) : 'error')));
      const { outcome, reasons } = decide(runOf(OLD), now, { maxRegression });
      expect(outcome).toBe('fail');
      expect(reasons).toMatchObject([
        { metric_name: 'q', paired: 12, only_old: 18, only_new: 0, missing: 0, errors: 18 },
      ]);
      expect(reasons[0]?.reason).toContain('18 of 30 datapoints ended with an error');
      expect(decide(runOf(OLD), now, { maxRegression, maxErrors: 18 }).outcome).toBe('pass');
      expect(decide(runOf(OLD), now, { maxRegression, maxErrors: 17 }).outcome).toBe('fail');
    },
  );

  it('is undecided without scores of some datapoints, up to what is accepted', () => {
    const now = runOf(times(30, (index) => (index < 27 ? better(index) : {})));
    const { outcome, reasons } = decide(runOf(OLD), now);
    expect([outcome, reasons.map(({ reason }) => reason)]).toEqual([
      'undecided',
      ['3 of 30 datapoints lack a score'],
    ]);
    expect(reasons).toMatchObject([{ paired: 27, only_old: 3, missing: 3, errors: 0 }]);
    expect(decide(runOf(OLD), now, { maxMissing: 3 }).outcome).toBe('pass');
    expect(decide(runOf(OLD), now, { maxMissing: 2 }).outcome).toBe('undecided');
  });

  it('passes with datapoints that the old run does not have, and counts them', () => {
    const { outcome, reasons } = decide(runOf(OLD), runOf(times(33, better)));
    expect(outcome).toBe('pass');
    expect(reasons).toMatchObject([{ paired: 30, only_old: 0, only_new: 3, missing: 0, errors: 0 }]);
  });

  it('names a metric that the new run lost, or has under another name', () => {
    const old = runOf(OLD.map(({ q }) => ({ q, other: 1, neutral: 1 })));
    for (const now of [times(30, better), times(30, (index) => ({ ...better(index), renamed: 1 }))]) {
      const { outcome, reasons } = decide(old, runOf(now));
      expect(outcome).toBe('undecided');
      expect(reasons.map((one) => [one.metric_name, one.outcome])).toEqual([
        ['q', 'pass'],
        ['other', 'undecided'],
      ]);
      expect(reasons[1]?.reason).toBe(
        'the new run has no scores of the metric: 30 of 30 datapoints lack a score',
      );
    }
    expect(decide(old, runOf(times(30, better)), { names: ['q'] }).outcome).toBe('pass');
  });

  it('is undecided about a metric of which no definition is left, since it was renamed', () => {
    const scored = (name: string) => runOf(times(30, (index) => ({ ...better(index), [name]: 1 })));
    const { outcome, reasons } = decide(scored('before'), scored('after'));
    expect(outcome).toBe('undecided');
    expect(reasons).toMatchObject([
      { metric_name: 'q', outcome: 'pass' },
      { metric_name: 'before', outcome: 'undecided' },
    ]);
  });

  it('fails when the evaluator failed, also on an event that has a score', () => {
    const decided = [decisions('error', [1, 2]), decisions('timeout', [3]), decisions('scored', [0])];
    const { outcome, reasons } = decide(runOf(OLD), runOf(times(30, better)), { decided });
    expect(outcome).toBe('fail');
    expect(reasons).toMatchObject([{ paired: 30, errors: 3, missing: 0 }]);
  });

  it('is undecided while evaluations are pending', () => {
    const decided = [decisions('pending', [4, 5])];
    const { outcome, reasons } = decide(runOf(OLD), runOf(times(30, better)), { decided });
    expect([outcome, reasons[0]?.pending, reasons[0]?.reason]).toEqual([
      'undecided',
      2,
      '2 evaluations are pending',
    ]);
    expect(decide(runOf(OLD), runOf(times(30, better)), { areEvaluatorsCurrent: false }).outcome).toBe(
      'undecided',
    );
    expect(decide(runOf(OLD), runOf(times(30, better)), { isComplete: false }).outcome).toBe('undecided');
  });

  it.each(['old', 'new'])('is undecided when sessions that the %s run lists have no events', (name) => {
    const absentSessions = { old: 0, new: 0, [name]: 1 };
    const { outcome, reasons } = decide(runOf(OLD), runOf(times(30, better)), { absentSessions });
    expect([outcome, reasons[0]?.reason]).toEqual([
      'undecided',
      `1 sessions that the ${name} run lists have no events`,
    ]);
    const accepting = { absentSessions, maxMissing: 1 };
    expect(decide(runOf(OLD), runOf(times(30, better)), accepting).outcome).toBe('pass');
  });

  it('is undecided when a trial of a datapoint lacks its score', () => {
    const trials = (score: (datapoint: number, trial: number) => Scores) =>
      [0, 1].flatMap((trial) =>
        times(12, (index) =>
          anEvent(`s${index}-${trial}`, score(index, trial), { datapointId: `d${index}` }),
        ),
      );
    const old = trials(() => ({ q: 0.5 }));
    expect(
      decide(
        old,
        trials(() => ({ q: 0.6 })),
      ).outcome,
    ).toBe('pass');
    const lost = trials((index, trial): Scores => (index === 3 && trial === 1 ? {} : { q: 0.6 }));
    const { outcome, reasons } = decide(old, lost);
    expect([outcome, reasons[0]?.missing, reasons[0]?.paired]).toEqual(['undecided', 1, 12]);
    const withoutSession = lost.filter(({ metrics }) => Object.keys(metrics).length > 0);
    expect(decide(old, withoutSession).outcome).toBe('undecided');
  });

  it.each([
    ['no datapoint', 0, 'the runs have no metric with a direction in common'],
    ['one datapoint', 1, 'fewer than 10 datapoints have a score in both runs'],
  ])('is undecided on %s', (_title, count, reason) => {
    const { outcome, reasons } = decide(runOf(OLD.slice(0, count)), runOf(OLD.slice(0, count)));
    expect([outcome, reasons.map((one) => one.reason)]).toEqual(['undecided', [reason]]);
  });

  it('passes for a run compared with itself, and for scores that are all equal', () => {
    expect(decide(runOf(OLD), runOf(OLD)).outcome).toBe('pass');
    const equal = times(12, () => ({ q: 1 }));
    expect(decide(runOf(equal), runOf(equal), { maxRegression: 0 }).outcome).toBe('pass');
  });

  it('accepts a loss of exactly max_regression, apart from rounding', () => {
    const old = runOf(times(12, () => ({ q: 0.3 })));
    const now = runOf(times(12, () => ({ q: 0.1 })));
    expect(0.3 - 0.1).toBeLessThan(0.2);
    expect(decide(old, now, { maxRegression: 0.2 }).outcome).toBe('pass');
    expect(
      decide(runOf(times(12, () => ({ q: 1.1 }))), runOf(times(12, () => ({ q: 0.8 }))), {
        maxRegression: 0.3,
      }).outcome,
    ).toBe('pass');
    expect(1.1 - 0.8).toBeGreaterThan(0.3);
  });
});
