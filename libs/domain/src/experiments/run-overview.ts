import { aggregate, finite, mean, sum } from './aggregate.js';
import type { RunRules } from './metric-rule.js';
import type { RunSession } from './run-events.js';
import type { RunEvaluations } from './run-evaluations.js';
import { scoreTrials, verdictsOf, type ScoredTrial } from './score-run.js';
import { seriesOf } from './score-series.js';
import { listUnpriced, type KnownCost } from '../sessions/unpriced-models.js';

/** Metrics of one overview; the first ones of a run with more. */
export const MAX_OVERVIEW_METRICS = 100;

/** What a session took. */
export interface SessionMeasures extends KnownCost {
  /** Milliseconds; absent while the session has not ended. */
  readonly duration?: number;
  readonly tokens: number;
  readonly hasErrors: boolean;
}

/** One run in a list of runs. The numbers are those of its result and of its sessions. */
export interface RunOverview {
  readonly sessions: number;
  /** Datapoints of the trials, and sessions without one: those that passed, and those that failed. */
  readonly datapoints: number;
  readonly passed: number;
  readonly failed: number;
  /** Means of all scores by metric, over the events of all names. */
  readonly metrics: Record<string, number>;
  /** Absent when the sessions were not measured. */
  readonly measures?: {
    /** Sessions in which an event ended with an error. */
    readonly errors: number;
    /** Quantiles of the durations, null when no session has one. */
    readonly duration_p50: number | null;
    readonly duration_p95: number | null;
    readonly tokens: number;
    /** USD; null when the cost of a session is unknown. */
    readonly cost: number | null;
    /** The models without a price of these sessions. */
    readonly unpriced_models: string[];
  };
}

/** A run with its sessions, and what is known about their scores. */
export interface OverviewInput {
  readonly sessions: readonly RunSession[];
  readonly rules: RunRules;
  readonly evaluations?: RunEvaluations;
}

/** Returns the overview of a run. Without `measures`, it has no durations, errors, tokens and cost. */
export function runOverview(
  { sessions, rules, evaluations }: OverviewInput,
  measures?: ReadonlyMap<string, SessionMeasures>,
): RunOverview {
  const trials = scoreTrials(sessions, rules, evaluations);
  const { passed, failed } = verdictsOf(trials);
  const measured = measures && sessions.flatMap(({ sessionId }) => measures.get(sessionId) ?? []);
  return {
    sessions: sessions.length,
    datapoints: passed.length + failed.length,
    passed: passed.length,
    failed: failed.length,
    metrics: meansOf(trials),
    ...(measured && { measures: totalsOf(measured) }),
  };
}

function meansOf(trials: readonly ScoredTrial[]): Record<string, number> {
  const values = new Map<string, number[]>();
  for (const series of seriesOf(trials).values()) {
    const known = values.get(series.name);
    if (known === undefined && values.size === MAX_OVERVIEW_METRICS) continue;
    if (known === undefined) values.set(series.name, [...series.values]);
    else for (const value of series.values) known.push(value);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, mean(all)]));
}

function totalsOf(measured: readonly SessionMeasures[]): NonNullable<RunOverview['measures']> {
  const durations = measured.flatMap(({ duration }) => duration ?? []);
  const quantile = (name: 'median' | 'p95') => (durations.length === 0 ? null : aggregate(name, durations));
  const costs = measured.map(({ cost }) => cost);
  return {
    errors: measured.filter(({ hasErrors }) => hasErrors).length,
    duration_p50: quantile('median'),
    duration_p95: quantile('p95'),
    tokens: finite(sum(measured.map(({ tokens }) => tokens))),
    cost: costs.includes(null) ? null : finite(sum(costs.flatMap((cost) => cost ?? []))),
    unpriced_models: listUnpriced(measured.flatMap(({ unpricedModels }) => unpricedModels)),
  };
}
