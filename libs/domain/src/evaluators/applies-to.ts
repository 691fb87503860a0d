import type { Event } from '../events/event.js';
import { acceptFilters } from '../events/filter/accept-filters.js';
import type { FilterWork } from '../events/filter/match/filter-work.js';
import type { FilterMatch } from '../events/filter/match/value-matcher.js';
import { filterMatcher } from '../events/filter/matches-filter.js';
import { traitsOf } from '../resources/metric-kinds.js';
import type { MaybeSteps, Steps } from '../steps.js';
import type { DeployedMetric, EvaluationDecision } from './evaluation.js';
import { isAlwaysEvaluated, isSampled } from './sampling.js';

/** Why a metric does not evaluate an event. */
export type Exclusion = Extract<
  EvaluationDecision,
  'disabled' | 'not_matching' | 'sampled_out' | 'no_ground_truth' | 'not_decided'
>;

/** Returns why the metric does not evaluate an event; undefined when it does. In steps when its filters read long texts. */
export type AppliesTo = (event: Event, work: FilterWork) => MaybeSteps<Exclusion | undefined>;

/**
 * Returns the rule that decides which events a metric evaluates: those that match all its filters and are in its
 * sample, and have a ground truth if it needs one. A metric that people score evaluates none. Events of experiments
 * and of the playground are not sampled.
 */
export function appliesTo(metric: DeployedMetric): AppliesTo {
  const matches = filterMatcher(acceptFilters(metric.filters.filterArray, 'stored'));
  return (event, work) => {
    if (!metric.enabled_in_prod || !traitsOf(metric).isEvaluated) return 'disabled';
    const match = matches(event, work);
    if (typeof match === 'object') return exclusionSteps(metric, event, match);
    return exclusionOf(metric, event, match);
  };
}

function* exclusionSteps(
  metric: DeployedMetric,
  event: Event,
  match: Steps<FilterMatch>,
): Steps<Exclusion | undefined> {
  return exclusionOf(metric, event, yield* match);
}

/** An event that another rule excludes is excluded, whatever its filters say. */
function exclusionOf(metric: DeployedMetric, event: Event, match: FilterMatch): Exclusion | undefined {
  if (match === 'not_matching') return match;
  const isIncluded =
    isAlwaysEvaluated(event) || isSampled(metric.id, event.event_id, metric.sampling_percentage);
  if (!isIncluded) return 'sampled_out';
  if (metric.needs_ground_truth && !hasGroundTruth(event)) return 'no_ground_truth';
  return match === 'not_decided' ? match : undefined;
}

/**
 * Returns the rule for events whose evaluation was asked for: as {@link appliesTo}, but every event is in the sample, and
 * it does not matter whether the metric is enabled.
 */
export function appliesOnRequest(metric: DeployedMetric): AppliesTo {
  return appliesTo({ ...metric, enabled_in_prod: true, sampling_percentage: 100 });
}

/** Returns whether an event has a ground truth: any value but null. Zero, false and empty values are values. */
export function hasGroundTruth({ feedback }: Pick<Event, 'feedback'>): boolean {
  return Object.hasOwn(feedback, 'ground_truth') && (feedback['ground_truth'] ?? null) !== null;
}
