import {
  inputFingerprint,
  isRequested,
  keptEvaluation,
  UNLIMITED_WORK,
  type DeployedMetric,
  type Evaluation,
  type Event,
  type FilterWork,
  type JsonObject,
} from '@assay/domain';
import { runSync } from '@assay/runtime';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { ProjectMetrics } from '../definitions/project-metrics.js';
import { quietPeriod } from '../shared/quiet-period.js';
import { applyingMetrics } from './applying-metrics.js';
import { NO_CHANGES } from './changes.js';
import { decideEvent } from './decide-event.js';
import type { DecisionInput } from './decision-input.js';

const NOW = 1_790_000_000_000;
const decide = (
  metrics: DeployedMetric[],
  input: Partial<Omit<DecisionInput, 'applying' | 'metrics'>> = {},
  work: FilterWork = UNLIMITED_WORK,
) => {
  const base = {
    event: storedEvent(),
    metrics: new ProjectMetrics(metrics),
    evaluations: [],
    changes: { ...NO_CHANGES, content: true },
    now: NOW,
    quiet: quietPeriod(30_000),
    ...input,
  };
  return decideEvent({ ...base, applying: runSync(applyingMetrics(base, work)) });
};
const named = (name: string) => ({
  filters: { filterArray: [{ field: 'event_name', operator: 'is', value: name, type: 'string' }] },
});
const pendingIds = (decision: ReturnType<typeof decide>) => decision.pending.map(({ metricId }) => metricId);

describe('deciding about an event', () => {
  const [first] = decide([metricOf('a')]).pending;
  const scored: Evaluation = { ...first!, decision: 'scored', value: 1 };
  const keptFields = { outputs: { text: 'new' }, metrics: { a: 0.5 } };

  it('makes the evaluations of matching metrics pending, with what identifies their input', () => {
    const metrics = [metricOf('a', named('answer')), metricOf('b', named('other')), metricOf('c')];
    const decision = decide(metrics);
    expect(new Set(pendingIds(decision))).toEqual(new Set(['a', 'c']));
    const fingerprint = inputFingerprint(storedEvent());
    expect(decision.pending[0]).toMatchObject({
      decision: 'pending',
      fingerprint,
      trigger: 10,
      decidedAt: NOW,
    });
    expect(decision.patch).toBeUndefined();
  });

  test.each<[string, Partial<Event>, Evaluation[], string[]]>([
    ['a score that a client has set', { metrics: { a: 0.5 } }, [], []],
    ['a score that a client has set while it was queued', keptFields, [keptEvaluation(scored)], []],
    ['a score of a client that was removed', { ...keptFields, metrics: {} }, [keptEvaluation(scored)], ['a']],
    ['an evaluation that is pending', {}, [first!], []],
    ['the same input after a score', { metrics: { a: 1 } }, [scored], []],
    ['the same input after an error', {}, [{ ...scored, decision: 'error' }], []],
    ['another version with the same input', {}, [{ ...scored, metricVersion: 'v0' }], []],
    ['a change of metrics and metadata', { metrics: { a: 9, b: 1 }, metadata: { x: 1 } }, [scored], []],
    ['values of annotators', { feedback: { 'a@anna': 4, 'q@anna': { comment: 'x' } } }, [scored], []],
    ['other outputs', { outputs: { text: 'new' }, metrics: { a: 1 } }, [scored], ['a']],
    ['a ground truth', { feedback: { ground_truth: 'x' }, metrics: { a: 1 } }, [scored], ['a']],
    ['the evaluation of another metric', {}, [{ ...scored, metricId: 'z' }], ['a']],
  ])('considers %s', (_, fields, evaluations, expected) => {
    const decision = decide([metricOf('a')], { event: storedEvent(fields), evaluations });
    expect(pendingIds(decision)).toEqual(expected);
  });

  it('outranks the evaluation before it, also when versions do not grow', () => {
    const event = storedEvent({ outputs: { text: 'new' } });
    const evaluations = [
      { ...scored, trigger: 400 },
      { ...scored, metricVersion: 'v0', trigger: 3 },
    ];
    expect(decide([metricOf('a')], { event, evaluations }).pending[0]?.trigger).toBe(401);
  });
});

describe('filters that take too much work', () => {
  const searched = { filters: { filterArray: [{ field: 'inputs.t', operator: 'contains', value: 'x' }] } };
  const fields = { inputs: { t: 'y'.repeat(1_000) } };
  const event = storedEvent(fields);
  const none: FilterWork = { take: () => false };
  const [undecided] = decide([metricOf('a', searched)], { event }, none).closed;

  it('leave the evaluation undecided, with a reason, and once for the same input', () => {
    const decision = decide([metricOf('a', searched), metricOf('b')], { event }, none);
    expect(pendingIds(decision)).toEqual(['b']);
    expect(decision.closed).toMatchObject([
      {
        ...{ metricId: 'a', decision: 'not_decided', value: null, trigger: 10 },
        reason: 'the filters of the project need more work than an event may cause',
      },
    ]);
    const again = decide([metricOf('a', searched)], { event, evaluations: [undecided!] }, none);
    expect(again.closed).toEqual([]);
  });

  it('are evaluated as soon as they are decided', () => {
    const input = { event: storedEvent({ inputs: { t: 'x' } }), evaluations: [undecided!] };
    const decision = decide([metricOf('a', searched)], input);
    expect(decision.pending).toMatchObject([{ metricId: 'a', reason: '', trigger: 11 }]);
    expect(decision.closed).toEqual([]);
  });

  it('exclude the event as soon as they are decided', () => {
    const { closed, pending } = decide([metricOf('a', searched)], { event, evaluations: [undecided!] });
    expect(pending).toEqual([]);
    expect(closed).toMatchObject([{ metricId: 'a', decision: 'not_matching', trigger: 11 }]);
  });

  it('keep the score of a client, and what was evaluated before', () => {
    const scored = storedEvent({ ...fields, metrics: { a: 1 } });
    expect(decide([metricOf('a', searched)], { event: scored }, none).closed).toEqual([]);
    const later = decide([metricOf('a')], { event: scored, evaluations: [undecided!] });
    expect(pendingIds(later)).toEqual([]);
    const before: Evaluation = { ...undecided!, decision: 'error', reason: '' };
    expect(decide([metricOf('a', searched)], { event, evaluations: [before] }, none).closed).toEqual([]);
    const other = { event, evaluations: [{ ...before, fingerprint: 'other' }] };
    const [again] = decide([metricOf('a', searched)], other, none).closed;
    const next = decide([metricOf('a')], { event, evaluations: [again!] }).pending;
    expect(next).toMatchObject([{ reason: 'evaluated again' }]);
  });

  it('are the result of a job that asks for them', () => {
    const requests = new Map([['a', { metricId: 'a', jobId: 'j1', since: NOW }]]);
    const metrics = [metricOf('a', { ...searched, enabled_in_prod: false })];
    const { closed } = decide(metrics, { event, requests, evaluations: [undecided!] }, none);
    expect(closed).toMatchObject([{ metricId: 'a', decision: 'not_decided', jobId: 'j1' }]);
    expect(decide(metrics, { event, requests, evaluations: closed }, none).closed).toEqual([]);
  });
});

describe('composites of an event', () => {
  const child_metrics = [{ name: 'a', weight: 1 }];
  const composite = (fields: object = {}) =>
    metricOf('all', { type: 'COMPOSITE', criteria: 'weighted sum', child_metrics, ...fields });
  const withMetrics = (metrics: Event['metrics']) => ({ event: storedEvent({ metrics }) });

  it('are computed immediately, from the scores of the event', () => {
    const { computed, patch } = decide([composite()], withMetrics({ a: 3 }));
    expect(patch).toEqual({ metrics: { all: 3 } });
    expect(computed).toMatchObject([{ metricId: 'all', decision: 'scored', value: 3, trigger: 10 }]);
  });

  test.each<[string, Event['metrics']]>([
    ['without a child', {}],
    ['when the event has the result', { a: 3, all: 3 }],
  ])('change nothing %s', (_, metrics) => {
    expect(decide([composite()], withMetrics(metrics))).toEqual({ pending: [], computed: [], closed: [] });
  });

  it('combine all events of a session on its own event', () => {
    const event = storedEvent({ event_type: 'session', metrics: { a: 9 } });
    const sessionMetrics: JsonObject[] = [{ a: 9 }, { a: 3 }, { other: 1 }];
    expect(decide([composite()], { event, sessionMetrics }).patch).toEqual({ metrics: { all: 6 } });
  });

  it('never feed back: a child with the name of its composite counts for nothing, and one of two of a name computes', () => {
    const own = composite({ child_metrics: [{ name: 'all', weight: 2 }, ...child_metrics] });
    expect(decide([own], withMetrics({ a: 3, all: 8 })).patch).toEqual({ metrics: { all: 3 } });
    const other = {
      ...composite({ criteria: 'weighted average', child_metrics: [{ name: 'b', weight: 1 }] }),
      id: 'newer',
    };
    const { patch } = decide([composite(), other], withMetrics({ a: 3, b: 5 }));
    expect(patch).toEqual({ metrics: { all: 5 } });
    expect(decide([composite(), other], withMetrics({ a: 3, b: 5, all: 5 })).computed).toEqual([]);
  });

  describe('that a job asks for', () => {
    const [first] = decide([metricOf('a')]).pending;
    const scored: Evaluation = { ...first!, decision: 'scored', value: 1 };
    const asked = (metrics: DeployedMetric[], input: Partial<DecisionInput> = {}, since = NOW) =>
      decide(metrics, {
        requests: new Map(metrics.map(({ id }) => [id, { metricId: id, since }])),
        ...input,
      });
    const off = { enabled_in_prod: false, sampling_percentage: 0 };

    it('includes metrics that are off and events outside of the sample, and no others', () => {
      const metrics = [metricOf('a', off), metricOf('b', { ...off, ...named('other') })];
      const decision = asked([...metrics, metricOf('c', { ...off, needs_ground_truth: true })]);
      expect(pendingIds(decision)).toEqual(['a']);
      expect(isRequested(decision.pending[0]!)).toBe(true);
      expect(pendingIds(decide(metrics))).toEqual([]);
      expect(pendingIds(asked([metricOf('d')]))).toEqual(['d']);
    });

    it('evaluates an event once in a version, whatever the result is', () => {
      for (const decision of ['scored', 'pending', 'error', 'timeout'] as const) {
        const evaluations = [{ ...first!, decision, decidedAt: NOW }];
        expect(pendingIds(asked([metricOf('a', off)], { evaluations }))).toEqual([]);
      }
      const [next] = asked([{ ...metricOf('a', off), version: 'v2' }], { evaluations: [scored] }).pending;
      expect(next).toMatchObject({ metricVersion: 'v2', trigger: scored.trigger + 1 });
    });

    it('repeats what failed before the job began', () => {
      const evaluations = [{ ...first!, decision: 'error' as const, decidedAt: NOW - 1 }];
      const [repeated] = asked([metricOf('a', off)], { evaluations }).pending;
      expect(repeated?.trigger).toBe(first!.trigger + 1);
    });

    test.each<[string, string | undefined, number, string[]]>([
      ['a failure of the arrival, by a clock that is ahead', '', NOW + 1, ['a']],
      ['a failure of another job', 'j2', NOW + 1, ['a']],
      ['its own failure, by a clock that is behind', 'j1', NOW - 1, []],
      ['an earlier failure of an earlier release', undefined, NOW - 1, ['a']],
      ['a later failure of an earlier release', undefined, NOW, []],
    ])('considers %s', (_, jobId, decidedAt, expected) => {
      const { jobId: _none, ...earlier } = { ...first!, decision: 'error' as const, decidedAt };
      const evaluations = [{ ...earlier, ...(jobId !== undefined && { jobId }) }];
      const requests = new Map([['a', { metricId: 'a', jobId: 'j1', since: NOW }]]);
      const { pending } = decide([metricOf('a', off)], { evaluations, requests });
      expect(pendingIds({ pending, computed: [], closed: [] })).toEqual(expected);
      expect(pending.map((one) => one.jobId)).toEqual(expected.map(() => 'j1'));
    });

    it('keeps the score of a client', () => {
      const event = storedEvent({ metrics: { a: 1 } });
      expect(pendingIds(asked([metricOf('a', off)], { event }))).toEqual([]);
    });

    it('computes composites that are off', () => {
      const child_metrics = [{ name: 'x', weight: 1 }];
      const composite = metricOf('c', { ...off, type: 'COMPOSITE', criteria: 'maximum', child_metrics });
      const event = storedEvent({ metrics: { x: 3 } });
      expect(asked([composite], { event }).computed).toMatchObject([{ metricId: 'c', value: 3 }]);
      expect(decide([composite], { event }).computed).toEqual([]);
    });
  });
});
