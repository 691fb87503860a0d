import { aggregate, type AggregateFunction } from './aggregate.js';
import { thresholdOf, type PassingRange, type RunRules } from './metric-rule.js';
import { scoreSessions, listedId, type Score, type ScoredSession } from './score-run.js';
import { seriesOf, type ScoreSeries } from './score-series.js';
import type { EventKind, RunSession } from './run-events.js';
import type { MetricType } from '../resources/metric.js';
import type { RunStatus } from '../resources/run.js';

/** Type of a metric in results: scores without a definition were computed by a client. */
export type ResultMetricType = MetricType | 'CLIENT_SIDE';
export const RESULT_METRIC_TYPES = ['PYTHON', 'LLM', 'HUMAN', 'COMPOSITE', 'CLIENT_SIDE'] as const;

/** One metric of a result, on the events of one name. */
export interface ResultDetail extends EventKind {
  readonly metric_name: string;
  readonly metric_type: ResultMetricType;
  readonly aggregate: number;
  readonly values: number[];
  readonly passing_range?: PassingRange;
  readonly datapoints: { readonly passed: string[]; readonly failed: string[] };
}

/** A session of a result. */
export interface ResultDatapoint {
  readonly datapoint_id: string;
  readonly session_id: string;
  readonly passed: boolean;
  readonly metrics: Score[];
}

/** The result of a run, without the run itself. */
export interface RunResult {
  readonly status: RunStatus;
  readonly success: boolean;
  readonly passed: string[];
  readonly failed: string[];
  readonly metrics: { readonly aggregation_function: AggregateFunction; readonly details: ResultDetail[] };
  readonly datapoints: ResultDatapoint[];
  readonly event_details: EventKind[];
}

export interface RunResultInput {
  readonly sessions: readonly RunSession[];
  readonly rules: RunRules;
  readonly status: RunStatus;
  readonly aggregateFunction: AggregateFunction;
}

/**
 * Computes the result of a run. It is a success when no session failed and the run itself neither failed nor was
 * cancelled.
 */
export function runResult({ sessions, rules, status, aggregateFunction }: RunResultInput): RunResult {
  const scored = scoreSessions(sessions, rules);
  const failed = idsOf(scored.filter((session) => !session.passed));
  const details = [...seriesOf(scored).values()].map((series) => toDetail(series, aggregateFunction, rules));
  return {
    status,
    success: failed.length === 0 && status !== 'failed' && status !== 'cancelled',
    passed: idsOf(scored.filter((session) => session.passed)),
    failed,
    metrics: { aggregation_function: aggregateFunction, details },
    datapoints: scored.map(toDatapoint),
    event_details: eventKinds(sessions),
  };
}

/** Returns the distinct names and types of the selected events, in the order of the sessions. */
export function eventKinds(sessions: readonly RunSession[]): EventKind[] {
  const kinds: EventKind[] = [];
  const typesByName = new Map<string, Set<string>>();
  for (const { events } of sessions) {
    for (const { eventName: event_name, eventType: event_type, isSelected } of events) {
      const last = kinds.at(-1);
      if (!isSelected || (last?.event_name === event_name && last.event_type === event_type)) continue;
      const types = typesByName.get(event_name) ?? new Set();
      if (types.has(event_type)) continue;
      typesByName.set(event_name, types.add(event_type));
      kinds.push({ event_name, event_type });
    }
  }
  return kinds;
}

/** Returns the type of the metric of this name. */
export function resultMetricType(name: string, { metrics }: RunRules): ResultMetricType {
  return metrics.get(name)?.type ?? 'CLIENT_SIDE';
}

/** Returns the bounds that scores of this name must satisfy; undefined without bounds. */
function passingRange(name: string, rules: RunRules): PassingRange | undefined {
  const { min, max } = thresholdOf(name, rules) ?? {};
  if (min === undefined && max === undefined) return undefined;
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function toDetail(series: ScoreSeries, name: AggregateFunction, rules: RunRules): ResultDetail {
  const range = passingRange(series.name, rules);
  return {
    metric_name: series.name,
    metric_type: resultMetricType(series.name, rules),
    event_name: series.eventName,
    event_type: series.eventType,
    aggregate: aggregate(name, series.values),
    values: [...series.values],
    ...(range && { passing_range: range }),
    datapoints: { passed: [...series.passed], failed: [...series.failed] },
  };
}

function toDatapoint(session: ScoredSession): ResultDatapoint {
  return {
    datapoint_id: listedId(session),
    session_id: session.sessionId,
    passed: session.passed,
    metrics: session.scores,
  };
}

function idsOf(sessions: readonly ScoredSession[]): string[] {
  return [...new Set(sessions.map(listedId))];
}
