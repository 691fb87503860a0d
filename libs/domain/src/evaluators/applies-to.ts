import type { Event } from '../events/event.js';
import { acceptFilters } from '../events/filter/accept-filters.js';
import { separateDerived } from '../events/filter/derived-fields.js';
import type { Filter } from '../events/filter/filter.js';
import { filterPath } from '../events/filter/event-path.js';
import type { FilterWork } from '../events/filter/match/filter-work.js';
import type { FilterMatch } from '../events/filter/match/value-matcher.js';
import { filterMatcher, type FilterMatcher } from '../events/filter/matches-filter.js';
import { traitsOf } from '../resources/metric-kinds.js';
import { inSteps, type MaybeSteps, type Steps } from '../steps.js';
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
  return ruleOf(metric, filtersOf(metric));
}

/** How a metric decides about sessions by what they derive from their events. */
export interface SessionRules {
  /** Why the metric does not evaluate a session, whatever its events are; undefined when it may. */
  readonly onArrival: AppliesTo;
  /** Whether a session as responses contain it matches the other filters. */
  readonly derived: FilterMatcher;
}

/**
 * Returns the rules for sessions of a metric with a filter on what they derive from their events; undefined for a metric that
 * decides about sessions as about other events.
 */
export function sessionRules(metric: DeployedMetric): SessionRules | undefined {
  const separated = separateDerived(filtersOf(metric));
  if (separated === undefined) return undefined;
  return { onArrival: ruleOf(metric, separated.onArrival), derived: filterMatcher(separated.derived) };
}

/** A stored event: as it is stored, and as responses contain it. */
export interface StoredSubject {
  readonly event: Event;
  readonly completed: Event;
}

/** Returns why the metric does not evaluate an event as it is stored now; undefined when it does. */
export function* storedExclusion(
  metric: DeployedMetric,
  { event, completed }: StoredSubject,
  work: FilterWork,
): Steps<Exclusion | undefined> {
  const rules = event.event_type === 'session' ? sessionRules(metric) : undefined;
  const exclusion = yield* inSteps((rules?.onArrival ?? appliesTo(metric))(event, work));
  if (exclusion !== undefined || rules === undefined) return exclusion;
  const match = yield* inSteps(rules.derived(completed, work));
  return match === 'matching' ? undefined : match;
}

/** Returns a function that tells whether the filters of a metric read one of the scores with these names, however many there are. */
export function readsScore(metric: DeployedMetric): (names: ReadonlySet<string>) => boolean {
  let known: ReadScores | undefined;
  return (names) => {
    const { all, some } = (known ??= readScores(metric));
    return names.size > 0 && (all || some.some((name) => names.has(name)));
  };
}

/** The scores that filters read: all of them, or those with some names. */
interface ReadScores {
  readonly all: boolean;
  readonly some: readonly string[];
}

const SCORES = 'metrics';

function readScores(metric: DeployedMetric): ReadScores {
  const fields = filtersOf(metric).map(({ field }) => field);
  const paths = fields
    .filter((field) => filterPath(field)?.root === SCORES)
    .map((field) => field.slice(SCORES.length));
  return { all: paths.includes(''), some: [...new Set(paths.flatMap(namesOn))] };
}

const QUOTED = /^\["([^"]*)"\]|^\['([^']*)'\]/;

/** Returns the names of the scores that a path below them may lead to: a name may contain dots and brackets. */
function namesOn(path: string): string[] {
  const [, double, single] = QUOTED.exec(path) ?? [];
  const quoted = double ?? single;
  if (quoted !== undefined) return [quoted];
  if (!path.startsWith('.')) return [];
  const ends = [...path.matchAll(/[.[]|$/g)].map(({ index }) => index).filter((end) => end > 0);
  return ends.map((end) => path.slice(1, end));
}

function filtersOf({ filters }: DeployedMetric): readonly Filter[] {
  return acceptFilters(filters.filterArray, 'stored');
}

function ruleOf(metric: DeployedMetric, filters: readonly Filter[]): AppliesTo {
  const matches = filterMatcher(filters);
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
 * Returns a metric with the rules for events whose evaluation was asked for: every event is in the sample, and it does not
 * matter whether the metric is enabled.
 */
export function onRequest(metric: DeployedMetric): DeployedMetric {
  return { ...metric, enabled_in_prod: true, sampling_percentage: 100 };
}

/** Returns whether an event has a ground truth: any value but null. Zero, false and empty values are values. */
export function hasGroundTruth({ feedback }: Pick<Event, 'feedback'>): boolean {
  return Object.hasOwn(feedback, 'ground_truth') && (feedback['ground_truth'] ?? null) !== null;
}
