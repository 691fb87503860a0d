import { validationError } from '@assay/errors';
import { aggregate, finite, mean, type AggregateFunction } from './aggregate.js';
import { makeCoverage, type Coverage, type ScoredRun } from './coverage.js';
import { thresholdOf, type RunRules } from './metric-rule.js';
import { passes } from './pass-rule.js';
import { eventKinds, resultMetricType, type ResultMetricType } from './run-result.js';
import {
  evaluationCounts,
  NO_EVALUATIONS,
  type EvaluationCounts,
  type RunEvaluations,
} from './run-evaluations.js';
import type { EventKind, RunSession } from './run-events.js';
import { scoreTrials, type ScoredTrial } from './score-run.js';
import { byDatapoint, seriesOf, type ScoreSeries } from './score-series.js';
import {
  comparePairs,
  MAX_COMPARED_METRICS,
  type PairedScores,
  type PairedStatistics,
} from './significance.js';
import type { Direction } from '../resources/metric.js';

/** One metric of a comparison, on the events of one name. */
export interface ComparedMetric extends EventKind, Coverage {
  readonly metric_name: string;
  readonly metric_type: ResultMetricType;
  /** Aggregates over all sessions of each run, not only the common datapoints. */
  readonly old_aggregate: number;
  readonly new_aggregate: number;
  readonly difference: number;
  readonly percentage_change: number;
  /** Common datapoints with a score in both runs: the following lists together. */
  readonly found_count: number;
  readonly improved_count: number;
  readonly degraded_count: number;
  readonly same_count: number;
  readonly improved: string[];
  readonly degraded: string[];
  readonly same: string[];
  /** Scores of these datapoints, at the same index in both lists. */
  readonly old_values: number[];
  readonly new_values: number[];
  readonly statistics: PairedStatistics;
}

export interface PresentEventKind extends EventKind {
  readonly presence: 'old' | 'new' | 'both';
}

/** A metric that the old run has on the events of one name, and the new one has not. */
export interface LostMetric extends EventKind, Coverage {
  readonly metric_name: string;
  readonly metric_type: ResultMetricType;
  readonly direction: Direction;
}

/** The comparison of two runs, without the runs themselves. */
export interface RunComparison {
  readonly metrics: ComparedMetric[];
  readonly lost_metrics: LostMetric[];
  readonly commonDatapoints: string[];
  readonly event_details: PresentEventKind[];
  /** Of each run, by the name of the metric. */
  readonly old_evaluations: Record<string, EvaluationCounts>;
  readonly new_evaluations: Record<string, EvaluationCounts>;
}

export interface ComparedRun {
  readonly sessions: readonly RunSession[];
  readonly rules: RunRules;
  /** What the evaluators have decided; absent: nothing. */
  readonly evaluations?: RunEvaluations;
}

export interface CompareRunsInput {
  readonly oldRun: ComparedRun;
  readonly newRun: ComparedRun;
  readonly aggregateFunction: AggregateFunction;
  /** Only metrics of these names; absent: all that both runs have. */
  readonly names?: readonly string[];
  /** Pairs below which nothing is concluded; {@link MIN_PAIRS} by default. */
  readonly minPairs?: number;
  /** Whether metrics without a direction are left out, so that they do not weaken the others. */
  readonly isDirectedOnly?: boolean;
}

/**
 * Compares two runs metric by metric: aggregates over each whole run, and scores paired by datapoint.
 * @throws AppError `VALIDATION_ERROR` when the runs have more than 1,000 metrics in common
 */
export function* compareRuns(input: CompareRunsInput): Generator<undefined, RunComparison, undefined> {
  const { oldRun, newRun } = input;
  const { rules } = newRun;
  const old = scoredRun(oldRun);
  const now = scoredRun(newRun);
  yield;
  const commonDatapoints = commonIds(old.trials, now.trials);
  const asked = [...old.series].filter(([, { name }]) => isAsked(name, input));
  const common = asked.flatMap(([key, before]): SeriesPair[] => {
    const other = now.series.get(key);
    return other ? [{ old: before, new: other }] : [];
  });
  if (common.length > MAX_COMPARED_METRICS)
    throw validationError(
      `the runs have more than ${MAX_COMPARED_METRICS} metrics in common: choose some with filters`,
    );
  const positions = new Map(commonDatapoints.map((id, index) => [id, index]));
  const coverageOf = makeCoverage(old, now, rules);
  yield;
  const matched: MatchedSeries[] = [];
  for (const series of common) {
    const scores = { old: byDatapoint(series.old), new: byDatapoint(series.new) };
    const coverage = coverageOf(series.old, series.new, scores);
    matched.push({ ...series, pairs: pairScores(scores, positions), coverage });
    yield;
  }
  const lost_metrics: LostMetric[] = [];
  for (const [key, series] of asked) {
    if (now.series.has(key)) continue;
    if (lost_metrics.length < MAX_COMPARED_METRICS)
      lost_metrics.push(toLost(series, coverageOf(series, undefined), rules));
    yield;
  }
  const statistics = yield* comparePairs(
    matched.map((one) => pairedScores(one, rules)),
    input.minPairs,
  );
  return {
    metrics: matched.flatMap((one, index) => {
      const paired = statistics[index];
      return paired ? [toComparedMetric(one, paired, input)] : [];
    }),
    lost_metrics,
    commonDatapoints,
    event_details: presentKinds(eventKinds(oldRun.sessions), eventKinds(newRun.sessions)),
    old_evaluations: evaluationCounts(oldRun.evaluations ?? NO_EVALUATIONS),
    new_evaluations: evaluationCounts(newRun.evaluations ?? NO_EVALUATIONS),
  };
}

function scoredRun({ sessions, rules, evaluations }: ComparedRun): ScoredRun {
  const trials = scoreTrials(sessions, rules, evaluations);
  return { trials, series: seriesOf(trials) };
}

function isAsked(name: string, { names, isDirectedOnly = false, newRun }: CompareRunsInput): boolean {
  if (isDirectedOnly && directionOf(name, newRun.rules) === 'none') return false;
  return names?.includes(name) ?? true;
}

function toLost(series: ScoreSeries, coverage: Coverage, rules: RunRules): LostMetric {
  return {
    metric_name: series.name,
    metric_type: resultMetricType(series.name, rules),
    event_name: series.eventName,
    event_type: series.eventType,
    direction: directionOf(series.name, rules),
    ...coverage,
  };
}

interface SeriesPair {
  readonly old: ScoreSeries;
  readonly new: ScoreSeries;
}

interface MatchedSeries extends SeriesPair {
  readonly pairs: readonly ScorePair[];
  readonly coverage: Coverage;
}

interface ScorePair {
  readonly datapointId: string;
  readonly old: number;
  readonly new: number;
}

/** Pairs the scores by datapoint, in the order of `positions`. Looks only at datapoints that have such scores. */
function pairScores(
  scores: Record<'old' | 'new', ReadonlyMap<string, readonly number[]>>,
  positions: ReadonlyMap<string, number>,
): ScorePair[] {
  const pairs: ScorePair[] = [];
  for (const [datapointId, before] of scores.old) {
    const now = scores.new.get(datapointId);
    if (now !== undefined) pairs.push({ datapointId, old: mean(before), new: mean(now) });
  }
  const positionOf = ({ datapointId }: ScorePair) => positions.get(datapointId) ?? 0;
  return pairs.sort((a, b) => positionOf(a) - positionOf(b));
}

/** Pass and fail follow the rules of the new run in both runs. */
function pairedScores({ old, new: now, pairs }: MatchedSeries, rules: RunRules): PairedScores {
  const direction = directionOf(old.name, rules);
  const isBoolean = old.isBoolean && now.isBoolean;
  const threshold = thresholdOf(old.name, rules);
  if (isBoolean) return { pairs, direction, isBoolean, passes: (score) => score === 1 };
  return {
    pairs,
    direction,
    isBoolean,
    ...(threshold && { passes: (score: number) => passes(score, threshold) }),
  };
}

function directionOf(name: string, { metrics }: RunRules): Direction {
  return metrics.get(name)?.direction ?? 'higher';
}

function toComparedMetric(
  { old, new: now, pairs, coverage }: MatchedSeries,
  statistics: PairedStatistics,
  { aggregateFunction, newRun: { rules } }: CompareRunsInput,
): ComparedMetric {
  const oldAggregate = aggregate(aggregateFunction, old.values);
  const newAggregate = aggregate(aggregateFunction, now.values);
  const difference = finite(newAggregate - oldAggregate);
  const sign = directionOf(old.name, rules) === 'lower' ? -1 : 1;
  const idsWhere = (change: number) =>
    pairs.filter((pair) => Math.sign(pair.new - pair.old) * sign === change).map((pair) => pair.datapointId);
  const [improved, degraded, same] = [idsWhere(1), idsWhere(-1), idsWhere(0)];
  return {
    metric_name: old.name,
    metric_type: resultMetricType(old.name, rules),
    event_name: old.eventName,
    event_type: now.eventType,
    old_aggregate: oldAggregate,
    new_aggregate: newAggregate,
    difference,
    percentage_change: percentageChange(oldAggregate, difference),
    found_count: pairs.length,
    ...coverage,
    improved_count: improved.length,
    degraded_count: degraded.length,
    same_count: same.length,
    improved,
    degraded,
    same,
    old_values: pairs.map((pair) => pair.old),
    new_values: pairs.map((pair) => pair.new),
    statistics,
  };
}

/** A change from 0 has no percentage: it counts as 100, with its sign. */
function percentageChange(old: number, difference: number): number {
  if (old === 0) return Math.sign(difference) * 100;
  return finite((difference / old) * 100);
}

/** Datapoints of both runs, in the order of the old one. */
function commonIds(old: readonly ScoredTrial[], now: readonly ScoredTrial[]): string[] {
  const inNew = new Set(now.map(({ datapointId }) => datapointId));
  const inOld = new Set(old.flatMap(({ datapointId }) => datapointId ?? []));
  return [...inOld].filter((id) => inNew.has(id));
}

function presentKinds(old: readonly EventKind[], now: readonly EventKind[]): PresentEventKind[] {
  const keyOf = (kind: EventKind) => JSON.stringify([kind.event_name, kind.event_type]);
  const inNew = new Set(now.map(keyOf));
  const inOld = new Set(old.map(keyOf));
  return [
    ...old.map((kind) => ({
      ...kind,
      presence: inNew.has(keyOf(kind)) ? ('both' as const) : ('old' as const),
    })),
    ...now.filter((kind) => !inOld.has(keyOf(kind))).map((kind) => ({ ...kind, presence: 'new' as const })),
  ];
}
