import type { RunRules } from './metric-rule.js';
import { byDatapoint, type ScoreSeries } from './score-series.js';
import type { ScoredTrial } from './score-run.js';

/** How far a new run has the scores of an old one, counted in datapoints. */
export interface Coverage {
  /** With a score in both runs. */
  readonly paired: number;
  readonly only_old: number;
  readonly only_new: number;
  /**
   * Of those with a score in the old run: the new run has none, or fewer, or a trial without one, or the same is true of a
   * child of the composite; and nothing ended with an error.
   */
  readonly missing: number;
  /** The same, where an event or the session ended with an error; or an evaluation failed. */
  readonly errors: number;
}

/** The scored trials and series of a run. */
export interface ScoredRun {
  readonly trials: readonly ScoredTrial[];
  readonly series: ReadonlyMap<string, ScoreSeries>;
}

interface DatapointFacts {
  trials: number;
  hasError: boolean;
  /** Absent while no evaluation has failed. */
  failedMetrics?: Set<string>;
}

/** Returns the function that compares the datapoints of one series of the old run with the new run. */
export function makeCoverage(old: ScoredRun, now: ScoredRun, rules: RunRules) {
  const facts = { old: factsOf(old.trials), new: factsOf(now.trials) };
  let totals: Record<'old' | 'new', ReturnType<typeof scoresByName>> | undefined;
  /** Whether the new run has fewer scores of a metric on a datapoint, over events of all names. */
  const hasFewer = (name: string, id: string) => {
    totals ??= { old: scoresByName(old.series), new: scoresByName(now.series) };
    return countOf(totals.new, name, id) < countOf(totals.old, name, id);
  };

  return function coverageOf(
    before: ScoreSeries,
    after: ScoreSeries | undefined,
    known: { readonly old?: ScoresOfDatapoints; readonly new?: ScoresOfDatapoints } = {},
  ): Coverage {
    const children = (rules.metrics.get(before.name)?.child_metrics ?? []).map(({ name }) => name);
    const scores = known.new ?? (after ? byDatapoint(after) : NO_SCORES);
    const haveScores = makeHaveScores(after);
    const isShort = (id: string, length: number, found = 0) => {
      const trials = Math.max(facts.new.get(id)?.trials ?? 0, facts.old.get(id)?.trials ?? 0);
      const hasAll = found >= length && haveScores(id, trials, found);
      return !hasAll || children.some((child) => hasFewer(child, id));
    };
    const names = [before.name, ...children];
    const hasFailed = ({ failedMetrics }: DatapointFacts) =>
      failedMetrics !== undefined && names.some((name) => failedMetrics.has(name));
    const counts = { paired: 0, only_old: 0, missing: 0, errors: 0 };
    for (const [id, { length }] of known.old ?? byDatapoint(before)) {
      const found = scores.get(id)?.length;
      const now = facts.new.get(id) ?? NO_FACTS;
      counts[found === undefined ? 'only_old' : 'paired']++;
      const lacksScores = isShort(id, length, found);
      if (hasFailed(now) || (lacksScores && now.hasError)) counts.errors++;
      else if (lacksScores) counts.missing++;
    }
    return { ...counts, only_new: scores.size - counts.paired };
  };
}

type ScoresOfDatapoints = ReadonlyMap<string, readonly number[]>;
const NO_SCORES: ScoresOfDatapoints = new Map();
const NO_FACTS: DatapointFacts = { trials: 0, hasError: false };
const NO_COUNTS: ReadonlyMap<string, number> = new Map();

function countOf(totals: ReadonlyMap<string, ReadonlyMap<string, number>>, name: string, id: string): number {
  return totals.get(name)?.get(id) ?? 0;
}

function factsOf(trials: readonly ScoredTrial[]): Map<string, DatapointFacts> {
  const facts = new Map<string, DatapointFacts>();
  for (const { datapointId, hasError, failedMetrics } of trials) {
    if (datapointId === undefined) continue;
    const known: DatapointFacts = facts.get(datapointId) ?? { trials: 0, hasError: false };
    if (known.trials === 0) facts.set(datapointId, known);
    known.trials++;
    known.hasError ||= hasError;
    if (failedMetrics.length === 0) continue;
    known.failedMetrics ??= new Set();
    for (const name of failedMetrics) known.failedMetrics.add(name);
  }
  return facts;
}

function scoresByName(series: ScoredRun['series']): Map<string, Map<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const { name, datapointIds } of series.values()) {
    const ofName = counts.get(name) ?? new Map<string, number>();
    counts.set(name, ofName);
    for (const id of datapointIds) if (id !== undefined) ofName.set(id, (ofName.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns a function that decides whether so many trials of a datapoint have a score; `found` is the number of its scores. */
function makeHaveScores(series: ScoreSeries | undefined) {
  let scored: ReadonlyMap<string, number> | undefined;
  return (id: string, trials: number, found: number) => {
    // A score is of one trial, so that only repeated trials have to be counted.
    if (trials <= 1) return found >= trials;
    scored ??= series ? trialsByDatapoint(series) : NO_COUNTS;
    return (scored.get(id) ?? 0) >= trials;
  };
}

/** The number of trials of each datapoint that have a score. */
function trialsByDatapoint({ datapointIds, trials }: ScoreSeries): Map<string, number> {
  const counts = new Map<string, number>();
  let last: number | undefined;
  datapointIds.forEach((id, index) => {
    if (id !== undefined && trials[index] !== last) counts.set(id, (counts.get(id) ?? 0) + 1);
    last = trials[index];
  });
  return counts;
}
