import { aggregate, type AggregateFunction } from './aggregate.js';
import { classify, type Classification, type GroundTruths } from './classification.js';
import { thresholdOf, type PassingRange, type RunRules } from './metric-rule.js';
import {
  countEvaluations,
  evaluationCounts,
  NO_EVALUATIONS,
  type EvaluationCounts,
  type RunEvaluations,
} from './run-evaluations.js';
import { scoreTrials, listedId, verdictsOf, type Score, type ScoredTrial } from './score-run.js';
import { seriesOf, verdictsOfSeries, type ScoreSeries } from './score-series.js';
import { repeatedTrials, type TrialStatistics } from './trial-statistics.js';
import type { EventKind, RunSession } from './run-events.js';
import { METRIC_TYPES, type MetricType } from '../resources/metric-kinds.js';
import type { RunStatus } from '../resources/run.js';

/** Type of a metric in results: scores without a definition were computed by a client. */
export type ResultMetricType = MetricType | 'CLIENT_SIDE';
export const RESULT_METRIC_TYPES: readonly ResultMetricType[] = [...METRIC_TYPES, 'CLIENT_SIDE'];

/** One metric of a result, on the events of one name. */
export interface ResultDetail extends EventKind {
  readonly metric_name: string;
  readonly metric_type: ResultMetricType;
  readonly aggregate: number;
  readonly values: number[];
  readonly passing_range?: PassingRange;
  readonly datapoints: { readonly passed: string[]; readonly failed: string[] };
  /** Of each datapoint, when one of them has several scores. */
  readonly trials?: TrialStatistics[];
}

/** A trial of a result. */
export interface ResultDatapoint {
  readonly datapoint_id: string;
  readonly session_id: string;
  readonly passed: boolean;
  readonly metrics: readonly Score[];
  /** True when an event of the trial, or its session, ended with an error. */
  readonly has_error?: boolean;
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
  /** By the name of the metric. */
  readonly evaluations: Record<string, EvaluationCounts>;
  /** Booleans and texts of metrics against the ground truths of their events. */
  readonly classifications: Classification[];
  /** What is missing; absent when nothing is. */
  readonly error?: string;
}

export interface RunResultInput {
  readonly sessions: readonly RunSession[];
  readonly rules: RunRules;
  readonly status: RunStatus;
  readonly aggregateFunction: AggregateFunction;
  /** Of the events of the sessions; absent: none. */
  readonly groundTruths?: GroundTruths;
  /** What the evaluators have decided; absent: nothing. */
  readonly evaluations?: RunEvaluations;
  /** Whether the evaluators have seen all events; true when absent. */
  readonly areEvaluatorsCurrent?: boolean;
  /** Sessions that the run lists and that have no events; absent: none. */
  readonly absentSessions?: number;
}

/**
 * Computes the result of a run. It is a success when no datapoint failed, nothing is still to be evaluated, the sessions that the
 * run lists have events, and the run itself neither failed nor was cancelled.
 */
export function runResult(input: RunResultInput): RunResult {
  const { sessions, rules, status, aggregateFunction, evaluations = NO_EVALUATIONS } = input;
  const trials = scoreTrials(sessions, rules, evaluations);
  const { passed, failed } = verdictsOf(trials);
  const details = [...seriesOf(trials).values()].map((series) => toDetail(series, aggregateFunction, rules));
  const { areEvaluatorsCurrent = true, absentSessions = 0 } = input;
  const isWhole =
    countEvaluations(evaluations, 'pending') === 0 && areEvaluatorsCurrent && absentSessions === 0;
  const error = missingParts(trials, input);
  return {
    status,
    success: failed.length === 0 && isWhole && status !== 'failed' && status !== 'cancelled',
    passed,
    failed,
    metrics: { aggregation_function: aggregateFunction, details },
    datapoints: trials.map(toDatapoint),
    event_details: eventKinds(sessions),
    evaluations: evaluationCounts(evaluations),
    classifications: input.groundTruths ? classify(sessions, rules, input.groundTruths) : [],
    ...(error !== undefined && { error }),
  };
}

/** Returns what the numbers do not include, in words; undefined when they include everything. */
function missingParts(
  trials: readonly ScoredTrial[],
  { evaluations = NO_EVALUATIONS, areEvaluatorsCurrent = true, absentSessions = 0 }: RunResultInput,
): string | undefined {
  const lost = trials.filter(({ hasError, scores }) => hasError && scores.length === 0);
  const count = (outcome: keyof EvaluationCounts) => countEvaluations(evaluations, outcome);
  const parts = [
    [absentSessions, 'sessions that the run lists have no events'],
    [new Set(lost.map(listedId)).size, 'datapoints ended with an error and have no score'],
    [count('failed') + count('timed_out'), 'evaluations failed'],
    [count('pending'), 'evaluations are pending'],
  ] as const;
  const sentences = parts.flatMap(([number, text]) => (number === 0 ? [] : [`${number} ${text}`]));
  if (!areEvaluatorsCurrent) sentences.push('the evaluators have not seen all events of the run yet');
  return sentences.length === 0 ? undefined : sentences.join('; ');
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
  const datapoints = verdictsOfSeries(series);
  // Where each score has an id of its own, no datapoint has several.
  const areDistinct = datapoints.passed.length + datapoints.failed.length === series.listedIds.length;
  const trials = areDistinct ? undefined : repeatedTrials(series);
  return {
    metric_name: series.name,
    metric_type: resultMetricType(series.name, rules),
    event_name: series.eventName,
    event_type: series.eventType,
    aggregate: aggregate(name, series.values),
    values: [...series.values],
    ...(range && { passing_range: range }),
    datapoints,
    ...(trials && { trials }),
  };
}

function toDatapoint(trial: ScoredTrial): ResultDatapoint {
  const { sessionId: session_id, passed, scores: metrics, hasError } = trial;
  const datapoint = { datapoint_id: listedId(trial), session_id, passed, metrics };
  return hasError ? { ...datapoint, has_error: true } : datapoint;
}
