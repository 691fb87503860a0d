import type { JsonObject } from '../json.js';
import { isExplanation } from '../resources/explanation.js';
import { compositeScore } from './composite.js';
import { hasScoreType } from './has-score-type.js';
import { thresholdOf, type MetricRule, type RunRules } from './metric-rule.js';
import { passes, scoreOfCategory } from './pass-rule.js';
import { NO_EVALUATIONS, type RunEvaluations } from './run-evaluations.js';
import type { EventKind, RunEvent, RunSession } from './run-events.js';
import { trialsOf, type Trial } from './trials.js';
import { traitsOf } from '../resources/metric-kinds.js';

/** One score of an event, as results contain it. */
export interface Score extends EventKind {
  readonly name: string;
  /** Null for a category without a score. */
  readonly value: number | boolean | null;
  readonly passed: boolean;
}

/** A trial with its scores. */
export interface ScoredTrial extends Trial {
  readonly scores: readonly Score[];
  /** Metrics whose evaluation of an event of the trial failed or timed out. */
  readonly failedMetrics: readonly string[];
  /** Whether all scores passed, no evaluation failed, and the trial did not end with an error and without a score. */
  readonly passed: boolean;
}

/**
 * Collects the scores of the trials of a run, including those of composite metrics that its events do not have yet. A trial
 * without a score and without an error passes.
 */
export function scoreTrials(
  sessions: readonly RunSession[],
  rules: RunRules,
  evaluations: RunEvaluations = NO_EVALUATIONS,
): ScoredTrial[] {
  const composites = new Map(
    [...rules.metrics].filter(([, rule]) => traitsOf(rule).hasChildren && rule.is_active),
  );
  const failures = failuresOf(evaluations);
  const scoresOf = makeScoresOf(rules);
  const scored: ScoredTrial[] = [];
  for (const trial of trialsOf(sessions)) {
    const areAllSelected = trial.events.every((event) => event.isSelected);
    const selected = areAllSelected ? trial.events : trial.events.filter((event) => event.isSelected);
    const own = scoresOf(selected);
    const scores = composites.size === 0 ? own : [...own, ...compositeScores(trial, composites, rules)];
    const failedMetrics = failures.size === 0 ? NO_NAMES : failedAmong(selected, failures);
    const isLost = trial.hasError && scores.length === 0;
    const passed = !isLost && failedMetrics.length === 0 && scores.every((score) => score.passed);
    // Spreading the trial would take as long as its scores.
    const { sessionId, datapointId, events, sessionEvents, hasError } = trial;
    scored.push({ sessionId, datapointId, events, sessionEvents, hasError, scores, failedMetrics, passed });
  }
  return scored;
}

const NO_NAMES: readonly string[] = [];

/** Names of the metrics whose evaluation failed, by the id of the event. */
function failuresOf(evaluations: RunEvaluations): ReadonlyMap<string, readonly string[]> {
  const failures = new Map<string, string[]>();
  for (const [name, { failedEvents }] of evaluations)
    for (const id of failedEvents) {
      const known = failures.get(id);
      if (known === undefined) failures.set(id, [name]);
      else known.push(name);
    }
  return failures;
}

function failedAmong(
  events: readonly RunEvent[],
  failures: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...new Set(events.flatMap(({ eventId }) => failures.get(eventId) ?? NO_NAMES))];
}

/** Returns the id under which a trial is listed: that of its datapoint, or of its session. */
export function listedId({ datapointId, sessionId }: Pick<Trial, 'datapointId' | 'sessionId'>): string {
  return datapointId ?? sessionId;
}

/** The ids of datapoints, in the order of their first trials: a datapoint passes when all its trials do. */
export interface Verdicts {
  readonly passed: string[];
  readonly failed: string[];
}

/** Returns which datapoints passed and which did not; a session without a datapoint counts as one. */
export function verdictsOf(trials: readonly ScoredTrial[]): Verdicts {
  const ids = new Set<string>();
  const lost = new Set<string>();
  for (const trial of trials) {
    const id = listedId(trial);
    ids.add(id);
    if (!trial.passed) lost.add(id);
  }
  return splitIds(ids, lost);
}

/** Returns the ids that are not among the lost ones, and those that are, in their order. */
export function splitIds(ids: ReadonlySet<string>, lost: ReadonlySet<string>): Verdicts {
  if (lost.size === 0) return { passed: [...ids], failed: [] };
  const [passed, failed]: [string[], string[]] = [[], []];
  for (const id of ids) (lost.has(id) ? failed : passed).push(id);
  return { passed, failed };
}

/**
 * Returns a function that collects the scores of events. Those that share their metrics share their scores: a run can have 100,000
 * events, of which many have equal metrics.
 */
function makeScoresOf(rules: RunRules): (events: readonly RunEvent[]) => readonly Score[] {
  const known = new Map<JsonObject, readonly Score[]>();
  const scoresOf = (event: RunEvent): readonly Score[] => {
    const before = known.get(event.metrics);
    if (before !== undefined && areOfKind(before, event)) return before;
    const scores = eventScores(event, rules);
    known.set(event.metrics, scores);
    return scores;
  };
  return (events) => {
    const [first] = events;
    return events.length === 1 && first !== undefined ? scoresOf(first) : events.flatMap(scoresOf);
  };
}

/** Whether scores are those of events of this name and type; what has no score has none under any name. */
function areOfKind([first]: readonly Score[], { eventName, eventType }: RunEvent): boolean {
  return first === undefined || (first.event_name === eventName && first.event_type === eventType);
}

function eventScores(event: RunEvent, rules: RunRules): Score[] {
  const scores: Score[] = [];
  for (const name of Object.keys(event.metrics)) {
    const value = event.metrics[name];
    if (isExplanation(name, rules.metrics) || !hasScoreType(value, rules.metrics.get(name))) continue;
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      scores.push(scoreOf(event, name, value, rules));
    else if (typeof value === 'string') scores.push(...categoryScore(event, name, value, rules));
  }
  return scores;
}

function scoreOf(event: RunEvent, name: string, value: number | boolean, rules: RunRules): Score {
  const passed = passes(value, thresholdOf(name, rules));
  return { name, event_name: event.eventName, event_type: event.eventType, value, passed };
}

/** Text counts only for a metric whose definition has categories with scores, or a list of passing ones. */
function categoryScore(event: RunEvent, name: string, value: string, rules: RunRules): Score[] {
  const rule = rules.metrics.get(name);
  if (rule?.return_type !== 'categorical') return [];
  const score = scoreOfCategory(value, rule.categories);
  if (score === null && rule.threshold?.passing_categories === undefined) return [];
  const passed = passes(value, thresholdOf(name, rules), rule.categories);
  return [{ name, event_name: event.eventName, event_type: event.eventType, value: score, passed }];
}

/**
 * A composite applies to the events that match its filters: on a session to the scores of all its events, on any
 * other event to the event's own. One that an event already has is not computed again.
 */
function compositeScores(
  { events, sessionEvents }: Trial,
  composites: ReadonlyMap<string, MetricRule>,
  rules: RunRules,
): Score[] {
  const ofSession = selectedMetrics(sessionEvents);
  const ofTrial = events === sessionEvents ? ofSession : selectedMetrics(events);
  const stored = { session: namesOf(ofSession), trial: namesOf(ofTrial) };
  return events.flatMap((event) => {
    if (!event.isSelected) return [];
    const isSession = event.eventId === event.sessionId;
    return event.composites.flatMap((name) => {
      const isStored = stored[isSession ? 'session' : 'trial'].has(name);
      const composite = isStored ? undefined : composites.get(name);
      if (composite === undefined) return [];
      const value = compositeScore(composite, isSession ? ofSession : [event.metrics], rules.metrics);
      return value === undefined ? [] : [scoreOf(event, name, value, rules)];
    });
  });
}

function selectedMetrics(events: readonly RunEvent[]): JsonObject[] {
  return events.flatMap(({ isSelected, metrics }) => (isSelected ? [metrics] : []));
}

function namesOf(metrics: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(metrics.flatMap((one) => Object.keys(one)));
}
