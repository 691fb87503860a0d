import { decodeRecord, encodeEvaluationRequest, encodeRecord, encodeSessionChange } from '@assay/contracts';
import { UNLIMITED_WORK, type Event } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import { runSync } from '@assay/runtime';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { ProjectMetrics } from '../definitions/project-metrics.js';
import { quietPeriod } from '../shared/quiet-period.js';
import { applyingMetrics } from './applying-metrics.js';
import { changedEvents } from './changed-events.js';
import { NO_CHANGES } from './changes.js';
import { decideEvent } from './decide-event.js';
import type { DecisionInput } from './decision-input.js';

const KEY = { projectId: 'p', eventId: storedEvent().event_id };
const exists = (field: string) => ({ filters: { filterArray: [{ field, operator: 'exists' }] } });
const contains = (field: string, value: string) => ({
  filters: { filterArray: [{ field, operator: 'contains', value }] },
});
const composite = (id: string, fields: object = {}) =>
  metricOf(id, {
    ...{ type: 'COMPOSITE', criteria: 'weighted sum', child_metrics: [{ name: 'a', weight: 2 }] },
    ...fields,
  });
const record = (kind: 'event' | 'patch' | 'delete', text = '{}') =>
  encodeRecord({ kind, ...KEY, fresh: false, value: Buffer.from(text) });
const patch = (fields: object) => record('patch', JSON.stringify(fields));
const score = (name: string, value: number | null = 1) => patch({ metrics: { [name]: value } });
const request = (metricId: string) => encodeEvaluationRequest(KEY, { metricId, jobId: 'j', since: 1 });

/** An event that no metric has evaluated, and what metrics decide about it because of records. */
function decide(records: readonly LogRecord[], fields: Partial<Event> = {}) {
  const [changed] = changedEvents(records.map(decodeRecord));
  const metrics = new ProjectMetrics([
    ...['a', 'b', 'ab'].map((name) => metricOf(name)),
    ...[metricOf('after a', exists('metrics.a')), metricOf('after quoted a', exists('metrics["a"].x'))],
    ...[metricOf('after b', exists('metrics.b')), metricOf('after any', contains('metrics', 'x'))],
    ...[metricOf('after a_explanation', exists('metrics.a_explanation')), composite('all')],
    ...[metricOf('long session', exists('metadata.num_events'))],
    composite('whole session', exists('metadata.num_events')),
  ]);
  const base: Omit<DecisionInput, 'applying'> = {
    event: storedEvent({ metrics: { a: { x: 1 }, b: 2, a_explanation: 'x' }, ...fields }),
    ...{ metrics, evaluations: [], requests: changed?.requests ?? new Map() },
    ...{ changes: changed?.changes ?? NO_CHANGES, now: 1_000, quiet: quietPeriod(1_000) },
  };
  const applying = runSync(applyingMetrics({ ...base, metrics }, UNLIMITED_WORK));
  return decideEvent({ ...base, applying });
}

const pendingFor = (...args: Parameters<typeof decide>) =>
  decide(...args)
    .pending.map(({ metricId }) => metricId)
    .sort();
const UNSCORED = { metrics: {} };
const ALL = ['a', 'ab', 'b'];

describe('the metrics that decide about an event', () => {
  test.each<[string, LogRecord[], string[]]>([
    ['its arrival', [record('event')], ALL],
    ['an update of other fields', [patch({ metadata: { x: 1 } })], ALL],
    ['an update of scores and other fields', [patch({ metrics: { a: 1 }, outputs: {} })], ALL],
    ['an update that cannot be read', [record('patch', '{"metrics":{')], ALL],
    ['an update of scores that takes long to read', [patch({ metrics: { z: 'x'.repeat(2 ** 22) } })], ALL],
    ['a score, and another update with it', [score('a'), patch({ outputs: {} })], ALL],
    ['a score that precedes its arrival in a batch', [score('a'), record('event')], ALL],
    ['a job that asks one metric', [request('b')], ['b']],
    ['a job that asks one metric, and a score', [request('b'), score('z')], ['b']],
    ['a score of a metric that it has not', [score('z')], []],
    ['no score', [patch({ metrics: {} })], []],
    ['a change of the events of a session', [encodeSessionChange(KEY, { at: 1, ofScores: false })], []],
  ])('because of %s are those that this concerns', (_, records, expected) => {
    expect(pendingFor(records, UNSCORED)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['a', ['after a', 'after any', 'after quoted a']],
    ['b', ['after any', 'after b']],
    ['a_explanation', ['after a_explanation', 'after any']],
    ['ab', ['ab', 'after any']],
  ])(
    'because of the score %s are those whose filters read it, but for a score that is kept',
    (name, expected) => {
      expect(pendingFor([score(name)])).toEqual(expected);
      const decided = pendingFor([score(name), request('after b')]);
      expect(decided).toEqual([...new Set([...expected, 'after b'])].sort());
    },
  );

  it('include the metric whose score a client has removed', () => {
    expect(pendingFor([score('a', null)], UNSCORED)).toEqual(['a']);
  });

  it('are composites whatever the change is', () => {
    const metrics = { a: 3 };
    for (const records of [[score('a')], [request('b')], [record('event')]])
      expect(decide(records, { metrics }).patch).toEqual({ metrics: { all: 6 } });
  });
});

describe('the metrics that decide about a session by its events', () => {
  const session = { ...UNSCORED, event_type: 'session' as const };
  const change = (ofScores: boolean) => encodeSessionChange(KEY, { at: 1, ofScores });

  test.each<[string, LogRecord[], string[]]>([
    ['its arrival', [record('event')], [...ALL, 'long session', 'whole session']],
    ['events', [change(false)], ['long session', 'whole session']],
    ['scores of events', [change(true)], ['whole session']],
    ['events, and scores of others', [change(true), change(false)], ['long session', 'whole session']],
    ['a score of its own', [score('z')], ['whole session']],
    ['a job that asks another metric', [request('b')], ['b']],
  ])('because of %s are those that this concerns', (_, records, expected) => {
    expect(pendingFor(records, session)).toEqual(expected);
  });
});
