import type { EvaluationCounts, RunEvaluations } from '../experiments/run-evaluations.js';
import type { EvaluationDecision } from './evaluation.js';

/** Events of a run whose newest evaluations by a metric have one decision. */
export interface DecidedEvents {
  readonly metricName: string;
  readonly decision: EvaluationDecision;
  readonly events: number;
  /** Ids of the events, unless the decision is `scored` or excludes them. */
  readonly eventIds: readonly string[];
}

const NONE: EvaluationCounts = { scored: 0, failed: 0, timed_out: 0, pending: 0, skipped: 0 };

/** A decision that is not named here has led to no score, so it counts as failed. */
const OUTCOMES: Partial<Record<EvaluationDecision, keyof EvaluationCounts>> = {
  scored: 'scored',
  timeout: 'timed_out',
  pending: 'pending',
  disabled: 'skipped',
  not_matching: 'skipped',
  sampled_out: 'skipped',
  no_ground_truth: 'skipped',
};

/** Returns the decisions about a run by the names of their metrics. */
export function runEvaluations(decided: readonly DecidedEvents[]): RunEvaluations {
  const byName = new Map<string, { counts: EvaluationCounts; failedEvents: Set<string> }>();
  for (const { metricName, decision, events, eventIds } of decided) {
    const metric = byName.get(metricName) ?? { counts: NONE, failedEvents: new Set<string>() };
    byName.set(metricName, metric);
    const outcome = OUTCOMES[decision] ?? 'failed';
    metric.counts = { ...metric.counts, [outcome]: metric.counts[outcome] + events };
    if (outcome === 'failed' || outcome === 'timed_out')
      for (const id of eventIds) metric.failedEvents.add(id);
  }
  return byName;
}
