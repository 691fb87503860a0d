import {
  awaitsQuiet,
  keptEvaluation,
  UNLIMITED_WORK,
  unmatchedEvaluation,
  type Evaluation,
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
const QUIET_MS = 30_000;
const STEP_MS = QUIET_MS / 10;
const session = (fields: Parameters<typeof storedEvent>[0] = {}) =>
  storedEvent({ event_type: 'session', metadata: { tier: 'gold' }, ...fields });
const many = metricOf('many', {
  filters: {
    filterArray: [
      { field: 'metadata.tier', operator: 'is', value: 'gold', type: 'string' },
      { field: 'metadata.num_events', operator: 'greater than', value: 2, type: 'number' },
    ],
  },
});

function decide(input: Partial<Omit<DecisionInput, 'applying' | 'metrics'>> = {}, metric = many) {
  const base = {
    ...{ event: session(), metrics: new ProjectMetrics([metric]), evaluations: [] },
    ...{ changes: { ...NO_CHANGES, content: true }, now: NOW, quiet: quietPeriod(QUIET_MS) },
    ...input,
  };
  return decideEvent({ ...base, applying: runSync(applyingMetrics(base, UNLIMITED_WORK)) }).pending;
}

describe('a metric that decides by the events of a session', () => {
  const [waiting] = decide() as [Evaluation];
  const request = new Map([['many', { metricId: 'many', jobId: 'j1', since: NOW }]]);

  it('waits until the session is quiet, unless its other filters exclude the session', () => {
    expect(waiting).toMatchObject({ metricId: 'many', decision: 'pending', decidedAt: NOW });
    expect(awaitsQuiet(waiting)).toBe(true);
    expect(decide({ event: session({ metadata: { tier: 'free' } }) })).toEqual([]);
    const sampled = metricOf('many', { filters: many.filters, sampling_percentage: 0 });
    expect(decide({}, sampled)).toEqual([]);
  });

  it('decides immediately about events that are no sessions', () => {
    const metadata = { tier: 'gold', num_events: 3 };
    const [pending] = decide({ event: storedEvent({ metadata }) });
    expect(pending && awaitsQuiet(pending)).toBe(false);
    expect(decide({ event: storedEvent({ metadata: { tier: 'gold' } }) })).toEqual([]);
  });

  it('notes the time of a change once in a step, and of other input immediately', () => {
    const later = { evaluations: [waiting], now: NOW + STEP_MS - 1 };
    expect(decide(later)).toEqual([]);
    expect(decide({ ...later, event: session({ outputs: { text: 'new' } }) })).toHaveLength(1);
    const [noted] = decide({ ...later, now: NOW + STEP_MS });
    expect(noted).toMatchObject({ decidedAt: NOW + STEP_MS, trigger: waiting.trigger + 1 });
  });

  test.each<[string, Evaluation, boolean]>([
    ['a session that did not match', unmatchedEvaluation(waiting), true],
    ['a session with a score', { ...waiting, decision: 'scored', value: 1, reason: '' }, false],
    ['a session with an error', { ...waiting, decision: 'error', reason: '' }, false],
    ['a session that a job decides about', { ...waiting, reason: 'requested by a job' }, false],
  ])('decides again about %s: %#', (_, last, isAgain) => {
    expect(decide({ evaluations: [last], now: NOW + QUIET_MS })).toHaveLength(isAgain ? 1 : 0);
  });

  it('keeps the score of a client that was set before the session matched', () => {
    const event = session({ metrics: { many: 0.5 } });
    expect(decide({ event })).toEqual([]);
    expect(decide({ event, evaluations: [unmatchedEvaluation(waiting)] })).toEqual([]);
    expect(decide({ event, evaluations: [keptEvaluation(waiting)] })).toEqual([]);
  });

  it('decides now when a job asks, also while the session is not quiet', () => {
    const [asked, ...others] = decide({ requests: request, evaluations: [waiting], changes: NO_CHANGES });
    expect([asked?.jobId, others]).toEqual(['j1', []]);
    expect(asked && awaitsQuiet(asked)).toBe(false);
    expect(decide({ requests: new Map(), changes: NO_CHANGES })).toEqual([]);
  });
});
