import type { RunRules } from './metric-rule.js';

/** How many evaluations by one metric ended in which way. */
export interface EvaluationCounts {
  readonly scored: number;
  /** Ended without a score, other than by a timeout. */
  readonly failed: number;
  readonly timed_out: number;
  readonly pending: number;
  /** A rule of the metric excludes the event. */
  readonly skipped: number;
}

/** What the evaluators have decided about the events of a run by one metric. */
export interface MetricEvaluations {
  readonly counts: EvaluationCounts;
  /** Events whose newest evaluation failed or timed out. */
  readonly failedEvents: ReadonlySet<string>;
}

/** By the name of the metric. Without an entry, nothing was decided. */
export type RunEvaluations = ReadonlyMap<string, MetricEvaluations>;

export const NO_EVALUATIONS: RunEvaluations = new Map();

/** Returns the counts of each metric, for people and programs that read results. */
export function evaluationCounts(evaluations: RunEvaluations): Record<string, EvaluationCounts> {
  return Object.fromEntries([...evaluations].map(([name, { counts }]) => [name, counts]));
}

/** Adds up one count over all metrics. */
export function countEvaluations(evaluations: RunEvaluations, outcome: keyof EvaluationCounts): number {
  return [...evaluations.values()].reduce((total, { counts }) => total + counts[outcome], 0);
}

/** Returns how many evaluations of runs are pending that a metric depends on: its own, and those of its children. */
export function pendingOf(name: string, runs: readonly RunEvaluations[], { metrics }: RunRules): number {
  const children = metrics.get(name)?.child_metrics ?? [];
  const names = new Set([name, ...children.map((child) => child.name)]);
  const counts = runs.flatMap((run) => [...names].map((one) => run.get(one)?.counts.pending ?? 0));
  return counts.reduce((total, count) => total + count, 0);
}
