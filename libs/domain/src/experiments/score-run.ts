import { compositeScore } from './composite.js';
import { hasScoreType } from './has-score-type.js';
import { thresholdOf, type MetricRule, type RunRules } from './metric-rule.js';
import { passes, scoreOfCategory } from './pass-rule.js';
import type { EventKind, RunEvent, RunSession } from './run-events.js';

/** One score of an event, as results contain it. */
export interface Score extends EventKind {
  readonly name: string;
  /** Null for a category without a score. */
  readonly value: number | boolean | null;
  readonly passed: boolean;
}

/** A session of a run with its scores. It passes when all of them do. */
export interface ScoredSession {
  readonly sessionId: string;
  readonly datapointId?: string;
  readonly scores: Score[];
  readonly passed: boolean;
}

/** Marks the metric that explains another one. */
const EXPLANATION = '_explanation';

/** Collects the scores of each session, including those of composite metrics that its events do not have yet. */
export function scoreSessions(sessions: readonly RunSession[], rules: RunRules): ScoredSession[] {
  const composites = new Map(
    [...rules.metrics].filter(([, rule]) => rule.type === 'COMPOSITE' && rule.is_active),
  );
  return sessions.map(({ sessionId, datapointId, events }) => {
    const selected = events.filter((event) => event.isSelected);
    const scores = eventScores(selected, rules).concat(compositeScores(selected, composites, rules));
    const passed = scores.every((score) => score.passed);
    return datapointId === undefined
      ? { sessionId, scores, passed }
      : { sessionId, datapointId, scores, passed };
  });
}

/** Returns the id under which a session is listed: that of its datapoint, or its own. */
export function listedId({
  datapointId,
  sessionId,
}: Pick<ScoredSession, 'datapointId' | 'sessionId'>): string {
  return datapointId ?? sessionId;
}

/** Fills one list, because a run can have 100,000 events, and a list for each costs more than its scores. */
function eventScores(events: readonly RunEvent[], rules: RunRules): Score[] {
  const scores: Score[] = [];
  for (const event of events) {
    for (const name of Object.keys(event.metrics)) {
      const value = event.metrics[name];
      if (isExplanation(name, rules) || !hasScoreType(value, rules.metrics.get(name))) continue;
      if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
        scores.push(scoreOf(event, name, value, rules));
      else if (typeof value === 'string') scores.push(...categoryScore(event, name, value, rules));
    }
  }
  return scores;
}

/** A metric may have the name of an explanation, and then it is none. */
function isExplanation(name: string, rules: RunRules): boolean {
  return name.endsWith(EXPLANATION) && !rules.metrics.has(name);
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
 * other event to the event's own. One that an event of the session already has is not computed again.
 */
function compositeScores(
  events: readonly RunEvent[],
  composites: ReadonlyMap<string, MetricRule>,
  rules: RunRules,
): Score[] {
  if (composites.size === 0) return [];
  const all = events.map(({ metrics }) => metrics);
  const stored = new Set(all.flatMap((metrics) => Object.keys(metrics)));
  return events.flatMap((event) =>
    event.composites.flatMap((name) => {
      const composite = stored.has(name) ? undefined : composites.get(name);
      if (composite === undefined) return [];
      const sources = event.eventId === event.sessionId ? all : [event.metrics];
      const value = compositeScore(composite, sources, rules.metrics);
      return value === undefined ? [] : [scoreOf(event, name, value, rules)];
    }),
  );
}
