import { isAtMost } from './bound-tolerance.js';
import type { ComparedMetric, LostMetric } from './compare-runs.js';
import type { Coverage } from './coverage.js';
import { lacks, type MissingLimits } from './gate-coverage.js';
import { MIN_PAIRS } from './significance.js';
import type { RunStatus } from '../resources/run.js';

export const GATE_OUTCOMES = ['pass', 'fail', 'undecided'] as const;
export type GateOutcome = (typeof GATE_OUTCOMES)[number];

/** What one metric, or the run as a whole, contributes to the outcome. */
export interface GateReason extends Partial<Coverage> {
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
  /** Evaluations of both runs that are pending. */
  readonly pending?: number;
}

export interface GateResult {
  readonly outcome: GateOutcome;
  readonly reasons: GateReason[];
}

export interface GateInput extends MissingLimits {
  /** Compared with the same `minPairs`, and restricted to the same names, and to metrics with a direction. */
  readonly metrics: readonly ComparedMetric[];
  /** Metrics that the new run lost, restricted likewise. */
  readonly lost: readonly LostMetric[];
  readonly names?: readonly string[];
  readonly newStatus: RunStatus;
  /** Largest loss that is accepted, in the unit of each metric. Absent: any loss that is not shown. */
  readonly maxRegression?: number;
  readonly minPairs?: number;
  /** Sessions that the runs list and that have no events; absent: none. */
  readonly absentSessions?: { readonly old: number; readonly new: number };
  /** Returns how many evaluations that a metric depends on are pending; absent: none. */
  readonly pendingOf?: (metricName: string) => number;
  /** Whether the comparison contains everything that was accepted before the request; true when absent. */
  readonly isComplete?: boolean;
  /** Whether the evaluators have seen everything that was accepted before the request; true when absent. */
  readonly areEvaluatorsCurrent?: boolean;
}

/**
 * Decides whether a run may replace another one. With a `maxRegression` a metric passes when its whole interval is
 * within the accepted loss, and fails when all of it is beyond; without one it fails when its verdict is `worse`.
 * What is missing is never better: a metric passes only if the new run has its scores on the datapoints of the old one.
 * One failure fails the gate; otherwise it passes when all metrics do, and there is at least one.
 */
export function gate(input: GateInput): GateResult {
  const metrics = [...input.metrics.map((metric) => judge(metric, input)), ...lostReasons(input)];
  const absent = absentNames(input);
  const reasons = [
    ...runReasons(input),
    ...absent.map((metric_name) =>
      undecided('the old run has no scores of the metric, or the metric has no direction', {
        metric_name,
        ...pendingPart(metric_name, input),
      }),
    ),
    ...metrics,
  ];
  if (metrics.length === 0 && absent.length === 0)
    reasons.push(undecided('the runs have no metric with a direction in common', {}));
  return { outcome: combined(reasons), reasons };
}

/** Names that were asked for, and that the runs do not have in common. */
function absentNames({ names = [], metrics, lost }: GateInput): string[] {
  const known = new Set([...metrics, ...lost].map(({ metric_name }) => metric_name));
  return names.filter((name) => !known.has(name));
}

function combined(reasons: readonly GateReason[]): GateOutcome {
  if (reasons.some(({ outcome }) => outcome === 'fail')) return 'fail';
  return reasons.every(({ outcome }) => outcome === 'pass') ? 'pass' : 'undecided';
}

/** Reasons that concern the whole run. */
function runReasons(input: GateInput): GateReason[] {
  const { newStatus, absentSessions: absent = { old: 0, new: 0 }, maxMissing = 0 } = input;
  const reasons: GateReason[] = [];
  if (newStatus === 'failed' || newStatus === 'cancelled')
    reasons.push({ outcome: 'fail', reason: `the status of the run is ${newStatus}` });
  if (input.isComplete === false)
    reasons.push(undecided('events that were accepted are not stored yet, retry the request', {}));
  if (input.areEvaluatorsCurrent === false)
    reasons.push(undecided('the evaluators have not seen all events of the runs yet, retry the request', {}));
  for (const run of ['old', 'new'] as const) {
    const missing = absent[run];
    if (missing > maxMissing)
      reasons.push(undecided(`${missing} sessions that the ${run} run lists have no events`, { missing }));
  }
  return reasons;
}

function undecided(reason: string, about: Partial<GateReason>): GateReason {
  return { outcome: 'undecided', reason, ...about };
}

function pendingPart(name: string, { pendingOf }: GateInput): Pick<GateReason, 'pending'> {
  const pending = pendingOf?.(name) ?? 0;
  return pending === 0 ? {} : { pending };
}

/** Of a metric that the new run lost: undecided, unless errors are the cause and too many. */
function lostReasons(input: GateInput): GateReason[] {
  return input.lost.map(({ metric_name, event_name, paired, only_old, only_new, missing, errors }) => {
    const coverage = { paired, only_old, only_new, missing, errors };
    const about = { metric_name, event_name, pairs: 0, ...coverage, ...pendingPart(metric_name, input) };
    const lack = lacks(coverage, input);
    const outcome = lack?.outcome ?? 'undecided';
    return {
      outcome,
      reason: `the new run has no scores of the metric${lack ? `: ${lack.reason}` : ''}`,
      ...about,
    };
  });
}

function judge(metric: ComparedMetric, input: GateInput): GateReason {
  const { paired, only_old, only_new, missing, errors } = metric;
  const coverage = { paired, only_old, only_new, missing, errors };
  const change = changeOf(metric);
  const about = {
    metric_name: metric.metric_name,
    event_name: metric.event_name,
    pairs: metric.statistics.pairs,
    ...change,
    ...coverage,
    ...pendingPart(metric.metric_name, input),
  };
  const regression = judgeRegression(metric, change, input);
  const lack = lacks(coverage, input);
  const pending = about.pending ?? 0;
  const waiting = pending > 0 ? undecided(`${pending} evaluations are pending`, {}) : undefined;
  const causes = [lack, waiting, regression].flatMap((one) => one ?? []);
  const outcome = combined(causes);
  // What decides comes first; what passes explains nothing once something does not.
  const decisive = causes.filter((one) => one.outcome === outcome);
  const others = causes.filter((one) => one.outcome !== outcome && one.outcome !== 'pass');
  return { outcome, reason: [...decisive, ...others].map(({ reason }) => reason).join('; '), ...about };
}

function changeOf({ statistics }: ComparedMetric) {
  const { mean_difference, confidence_interval: interval, direction } = statistics;
  const isHigher = direction === 'higher';
  return {
    loss: positive(isHigher ? -mean_difference : mean_difference),
    loss_interval: interval && {
      low: positive(isHigher ? -interval.high : interval.low),
      high: positive(isHigher ? -interval.low : interval.high),
    },
  };
}

function judgeRegression(
  { statistics }: ComparedMetric,
  { loss_interval }: ReturnType<typeof changeOf>,
  { maxRegression, minPairs = MIN_PAIRS }: GateInput,
): Pick<GateReason, 'outcome' | 'reason'> {
  if (statistics.pairs < minPairs || loss_interval === null)
    return undecided(`fewer than ${minPairs} datapoints have a score in both runs`, {});
  if (maxRegression === undefined)
    return statistics.verdict === 'worse'
      ? { outcome: 'fail', reason: 'the new run is worse' }
      : { outcome: 'pass', reason: 'no regression is shown' };
  if (isAtMost(loss_interval.high, maxRegression))
    return { outcome: 'pass', reason: 'the loss is within max_regression' };
  if (loss_interval.low > maxRegression)
    return { outcome: 'fail', reason: 'the loss exceeds max_regression' };
  return undecided('the loss may exceed max_regression', {});
}

/** Turns -0 into 0. */
function positive(value: number): number {
  return value === 0 ? 0 : value;
}
