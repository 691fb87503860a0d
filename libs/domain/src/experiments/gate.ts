import type { ComparedMetric } from './compare-runs.js';
import { MIN_PAIRS } from './significance.js';
import type { RunStatus } from '../resources/run.js';

export const GATE_OUTCOMES = ['pass', 'fail', 'undecided'] as const;
export type GateOutcome = (typeof GATE_OUTCOMES)[number];

/** What one metric, or the run as a whole, contributes to the outcome. */
export interface GateReason {
  readonly outcome: GateOutcome;
  readonly reason: string;
  /** Absent for a reason that concerns the whole run. */
  readonly metric_name?: string;
  readonly event_name?: string;
  readonly pairs?: number;
  /** Loss of the new run in the direction of the metric: a negative one is a gain. */
  readonly loss?: number;
  /** 95 % interval of the loss. */
  readonly loss_interval?: { readonly low: number; readonly high: number } | null;
}

export interface GateResult {
  readonly outcome: GateOutcome;
  readonly reasons: GateReason[];
}

export interface GateInput {
  /** Compared with the same `minPairs`, and restricted to the same names. */
  readonly metrics: readonly ComparedMetric[];
  readonly names?: readonly string[];
  readonly newStatus: RunStatus;
  /** Largest loss that is accepted, in the unit of each metric. Absent: any loss that is not shown. */
  readonly maxRegression?: number;
  readonly minPairs?: number;
  /** Whether the comparison contains everything that was accepted before the request; true when absent. */
  readonly isComplete?: boolean;
}

/**
 * Decides whether a run may replace another one. With a `maxRegression` a metric passes when its whole interval is
 * within the accepted loss, and fails when all of it is beyond; without one it fails when its verdict is `worse`.
 * Too few pairs, and metrics that one of the runs lacks, are undecided. One failure fails the gate; otherwise it
 * passes when all metrics do, and there is at least one. A comparison that is not complete passes never.
 */
export function gate(input: GateInput): GateResult {
  const judged = input.metrics.filter(({ statistics }) => statistics.direction !== 'none');
  const missing = (input.names ?? []).filter(
    (name) => !input.metrics.some(({ metric_name }) => metric_name === name),
  );
  const reasons = [
    ...statusReasons(input.newStatus),
    ...(input.isComplete === false
      ? [undecided('events that were accepted are not stored yet, retry the request', {})]
      : []),
    ...missing.map((metric_name) =>
      undecided('the metric has no scores in one of the runs', { metric_name }),
    ),
    ...judged.map((metric) => judge(metric, input)),
  ];
  if (judged.length === 0 && missing.length === 0)
    reasons.push(undecided('the runs have no metric with a direction in common', {}));
  return { outcome: combined(reasons), reasons };
}

function combined(reasons: readonly GateReason[]): GateOutcome {
  if (reasons.some(({ outcome }) => outcome === 'fail')) return 'fail';
  return reasons.every(({ outcome }) => outcome === 'pass') ? 'pass' : 'undecided';
}

function statusReasons(status: RunStatus): GateReason[] {
  if (status !== 'failed' && status !== 'cancelled') return [];
  return [{ outcome: 'fail', reason: `the status of the run is ${status}` }];
}

function undecided(reason: string, about: Partial<GateReason>): GateReason {
  return { outcome: 'undecided', reason, ...about };
}

function judge(metric: ComparedMetric, { maxRegression, minPairs = MIN_PAIRS }: GateInput): GateReason {
  const { pairs, mean_difference, confidence_interval: interval, direction } = metric.statistics;
  const isHigher = direction === 'higher';
  const loss_interval = interval && {
    low: positive(isHigher ? -interval.high : interval.low),
    high: positive(isHigher ? -interval.low : interval.high),
  };
  const about = {
    metric_name: metric.metric_name,
    event_name: metric.event_name,
    pairs,
    loss: positive(isHigher ? -mean_difference : mean_difference),
    loss_interval,
  };
  if (pairs < minPairs || loss_interval === null)
    return undecided(`fewer than ${minPairs} datapoints have a score in both runs`, about);
  if (maxRegression === undefined)
    return metric.statistics.verdict === 'worse'
      ? { outcome: 'fail', reason: 'the new run is worse', ...about }
      : { outcome: 'pass', reason: 'no regression is shown', ...about };
  if (loss_interval.high <= maxRegression)
    return { outcome: 'pass', reason: 'the loss is within max_regression', ...about };
  if (loss_interval.low > maxRegression)
    return { outcome: 'fail', reason: 'the loss exceeds max_regression', ...about };
  return undecided('the loss may exceed max_regression', about);
}

/** Turns -0 into 0. */
function positive(value: number): number {
  return value === 0 ? 0 : value;
}
