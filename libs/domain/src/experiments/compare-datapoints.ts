import { finite, mean } from './aggregate.js';
import type { RunRules } from './metric-rule.js';
import type { RunEvaluations } from './run-evaluations.js';
import type { RunSession } from './run-events.js';
import { scoreTrials, type ScoredTrial } from './score-run.js';
import { spreadOf } from './trial-statistics.js';
import type { Trial } from './trials.js';

export const DATAPOINT_VERDICTS = ['worse', 'better', 'same', 'missing'] as const;
export type DatapointVerdict = (typeof DATAPOINT_VERDICTS)[number];

/** What rows of a comparison can be selected by: a verdict, or an error in one of the sessions. */
export const DATAPOINT_SELECTIONS = [...DATAPOINT_VERDICTS, 'error'] as const;
export type DatapointSelection = (typeof DATAPOINT_SELECTIONS)[number];

export const DATAPOINT_SORTS = ['loss', 'gain', 'datapoint'] as const;
export type DatapointSort = (typeof DATAPOINT_SORTS)[number];

/** One datapoint in one of two compared runs. */
export interface ComparedSession {
  /** The first trial of the datapoint. */
  readonly trial: Pick<Trial, 'sessionId' | 'events'>;
  /** Scores by metric; of several scores the mean. Passing is 1 or 0. */
  readonly scores: Readonly<Record<string, number>>;
  /** Score of the compared metric, or whether all trials passed; undefined without a score. */
  readonly score?: number;
  /** Scores of the compared metric, or trials, and their spread as a sample; null for fewer than two. */
  readonly trials: number;
  readonly spread: number | null;
  readonly hasError: boolean;
}

/** One datapoint in two runs. */
export interface ComparedDatapoint {
  readonly datapointId: string;
  readonly old?: ComparedSession;
  readonly new?: ComparedSession;
  /** New score minus old score; null when one is missing. */
  readonly delta: number | null;
  /** By the direction of the metric; `missing` without a score in both runs. */
  readonly outcome: DatapointVerdict;
  /** Whether an event of one of the sessions ended with an error. */
  readonly hasError: boolean;
}

export interface CompareDatapointsInput {
  readonly oldSessions: readonly RunSession[];
  readonly newSessions: readonly RunSession[];
  /** What the evaluators have decided about each run; absent: nothing. */
  readonly oldEvaluations?: RunEvaluations;
  readonly newEvaluations?: RunEvaluations;
  /** Rules of the new run. */
  readonly rules: RunRules;
  /** Metric to compare; absent: whether all scores of the datapoint passed. */
  readonly metric?: string;
  readonly sort: DatapointSort;
}

/**
 * Compares two runs datapoint by datapoint. Trials without a datapoint are left out. Sorted by loss (largest first) or
 * gain, those without a difference last, then by datapoint; or in the order of the old run, new datapoints last.
 */
export function* compareDatapoints(
  input: CompareDatapointsInput,
): Generator<undefined, ComparedDatapoint[], undefined> {
  const { oldSessions, newSessions, rules, metric, sort } = input;
  const old = byDatapoint(scoreTrials(oldSessions, rules, input.oldEvaluations), metric);
  yield;
  const now = byDatapoint(scoreTrials(newSessions, rules, input.newEvaluations), metric);
  yield;
  const sign = directionSign(metric, rules);
  const rows = [...new Set([...old.keys(), ...now.keys()])].map((id) =>
    toRow(id, old.get(id), now.get(id), sign),
  );
  yield;
  if (sort === 'datapoint') return rows;
  return rows.sort((a, b) => compareLoss(a, b, sort === 'loss' ? sign : -sign));
}

/** Returns 1 when higher scores are better, -1 when lower ones are. */
export function directionSign(metric: string | undefined, { metrics }: RunRules): 1 | -1 {
  return metric !== undefined && metrics.get(metric)?.direction === 'lower' ? -1 : 1;
}

/** Returns the rows of these selections, all without any. */
export function selectDatapoints(
  rows: readonly ComparedDatapoint[],
  only: readonly DatapointSelection[],
): ComparedDatapoint[] {
  if (only.length === 0) return [...rows];
  return rows.filter((row) => only.includes(row.outcome) || (row.hasError && only.includes('error')));
}

/** Counts rows by verdict, and those with an error. */
export function countDatapoints(rows: readonly ComparedDatapoint[]): Record<DatapointSelection, number> {
  const counts = { worse: 0, better: 0, same: 0, missing: 0, error: 0 };
  for (const { outcome, hasError } of rows) {
    counts[outcome]++;
    if (hasError) counts.error++;
  }
  return counts;
}

function compareLoss(a: ComparedDatapoint, b: ComparedDatapoint, sign: number): number {
  const order =
    Number(a.delta === null) - Number(b.delta === null) || ((a.delta ?? 0) - (b.delta ?? 0)) * sign;
  return order || (a.datapointId < b.datapointId ? -1 : Number(a.datapointId > b.datapointId));
}

function toRow(
  datapointId: string,
  old: ComparedSession | undefined,
  now: ComparedSession | undefined,
  sign: number,
): ComparedDatapoint {
  const hasBoth = old?.score !== undefined && now?.score !== undefined;
  const delta = hasBoth ? finite(now.score - old.score) : null;
  return {
    datapointId,
    ...(old && { old }),
    ...(now && { new: now }),
    delta,
    outcome: verdictOf(delta, sign),
    hasError: (old?.hasError ?? false) || (now?.hasError ?? false),
  };
}

function verdictOf(delta: number | null, sign: number): DatapointVerdict {
  if (delta === null) return 'missing';
  if (delta === 0) return 'same';
  return delta * sign > 0 ? 'better' : 'worse';
}

function byDatapoint(trials: readonly ScoredTrial[], metric: string | undefined) {
  const groups = new Map<string, [ScoredTrial, ...ScoredTrial[]]>();
  for (const trial of trials) {
    if (trial.datapointId === undefined) continue;
    const group = groups.get(trial.datapointId);
    if (group === undefined) groups.set(trial.datapointId, [trial]);
    else group.push(trial);
  }
  return new Map([...groups].map(([id, group]) => [id, toSide(group, metric)] as const));
}

function toSide(
  group: readonly [ScoredTrial, ...ScoredTrial[]],
  metric: string | undefined,
): ComparedSession {
  const values = new Map<string, number[]>();
  for (const { name, value } of group.flatMap((trial) => trial.scores)) {
    if (value === null) continue;
    const ofName = values.get(name);
    if (ofName === undefined) values.set(name, [Number(value)]);
    else ofName.push(Number(value));
  }
  const means = new Map([...values].map(([name, all]) => [name, mean(all)]));
  const compared = metric === undefined ? passScores(group) : (values.get(metric) ?? []);
  const score = metric === undefined ? passScore(compared) : means.get(metric);
  return {
    trial: group[0],
    scores: Object.fromEntries(means),
    ...(score !== undefined && { score }),
    trials: compared.length,
    spread: spreadOf(compared),
    hasError: group.some((trial) => trial.hasError || trial.failedMetrics.length > 0),
  };
}

/** 1 or 0 for each trial. Those that passed without any score neither pass nor fail. */
function passScores(trials: readonly ScoredTrial[]): number[] {
  const judged = trials.filter(({ scores, passed }) => scores.length > 0 || !passed);
  return judged.map(({ passed }) => Number(passed));
}

function passScore(passed: readonly number[]): number | undefined {
  return passed.length === 0 ? undefined : Math.min(...passed);
}
