import { finite, mean, sum } from './aggregate.js';
import { bootstrapMean, BOOTSTRAP_SEED, RESAMPLES } from './bootstrap.js';
import { holm } from './holm.js';
import { exactMcNemar } from './mcnemar.js';
import type { Direction } from '../resources/metric.js';

export const VERDICTS = ['better', 'worse', 'no_difference_shown', 'too_few'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Below this number of pairs the verdict is `too_few`. */
export const MIN_PAIRS = 10;
/** Metrics of one comparison; each is resampled. */
export const MAX_COMPARED_METRICS = 1_000;
/** Differences that are resampled: of all metrics together, and of one metric at least and at most. */
const RESAMPLED_TOGETHER = 50_000;
const MIN_RESAMPLED = 50;
const MAX_RESAMPLED = 2_000;
/** Differences are equal when they differ by less, relative to the largest score. */
const ROUNDING = 1e-12;

/** Error probability of all verdicts of one comparison together. */
export const SIGNIFICANCE_LEVEL = 0.05;

/** The scores of one datapoint in two runs. */
export interface ScorePair {
  readonly old: number;
  readonly new: number;
}

/** One metric on the datapoints that two runs have in common. */
export interface PairedScores {
  readonly pairs: readonly ScorePair[];
  readonly direction: Direction;
  /** Whether the scores are true and false, as 1 and 0. */
  readonly isBoolean: boolean;
  /** Tells whether a score passes; absent when no condition is set, so that every score does. */
  readonly passes?: (score: number) => boolean;
}

/** Pass and fail on the same datapoints. */
export interface McNemarResult {
  /** Failed in the old run and passes in the new one. */
  readonly gained: number;
  readonly lost: number;
  readonly p_value: number;
}

/** What the paired scores of one metric show. */
export interface PairedStatistics {
  readonly pairs: number;
  /** Mean of new minus old. */
  readonly mean_difference: number;
  /** 95 % interval of the mean difference; null with fewer than two pairs. */
  readonly confidence_interval: { readonly low: number; readonly high: number } | null;
  /**
   * Mean difference in standard deviations of the differences (Cohen's d for pairs); null when it is undefined:
   * fewer than two pairs, or differences that are all equal but not 0.
   */
  readonly effect_size: number | null;
  /** Null when the scores have no condition to pass. */
  readonly mcnemar: McNemarResult | null;
  /** Of McNemar's test for true and false, otherwise of the mean difference; 1 with fewer than two pairs. */
  readonly p_value: number;
  /** The p-value corrected for the number of metrics compared. */
  readonly adjusted_p_value: number;
  readonly direction: Direction;
  readonly verdict: Verdict;
  readonly resamples: number;
  readonly seed: number;
}

type Unadjusted = Omit<PairedStatistics, 'adjusted_p_value' | 'verdict'>;

/**
 * Compares metrics on paired scores. Verdicts hold together: the probability that one or more of them name a
 * difference that does not exist is at most 5 %. A metric without a direction is never better or worse.
 */
export function* comparePairs(
  metrics: readonly PairedScores[],
  minPairs = MIN_PAIRS,
): Generator<undefined, PairedStatistics[], undefined> {
  const maxResampled = resampledValues(metrics.length);
  const all: Unadjusted[] = [];
  for (const metric of metrics) all.push(yield* statisticsOf(metric, maxResampled));
  const tested = all.filter((one) => one.pairs >= minPairs);
  const adjusted = new Map(
    holm(tested.map((one) => one.p_value)).map((value, index) => [tested[index], value]),
  );
  return all.map((one) => {
    const adjusted_p_value = adjusted.get(one) ?? 1;
    const isTested = one.pairs >= minPairs;
    return {
      ...one,
      adjusted_p_value,
      verdict: isTested ? verdictOf(one, adjusted_p_value) : ('too_few' as const),
    };
  });
}

/** Bounds the time of a comparison: many metrics are resampled in fewer and larger blocks. */
function resampledValues(metrics: number): number {
  return Math.min(
    MAX_RESAMPLED,
    Math.max(MIN_RESAMPLED, Math.floor(RESAMPLED_TOGETHER / Math.max(metrics, 1))),
  );
}

function verdictOf({ mean_difference: difference, direction }: Unadjusted, pValue: number): Verdict {
  if (pValue > SIGNIFICANCE_LEVEL || difference === 0 || direction === 'none') return 'no_difference_shown';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}

function* statisticsOf(
  metric: PairedScores,
  maxResampled: number,
): Generator<undefined, Unadjusted, undefined> {
  const { pairs, direction } = metric;
  const differences = pairs.map((pair) => finite(pair.new - pair.old));
  const difference = mean(differences);
  const mcnemar = metric.passes ? mcnemarOf(pairs, metric.passes) : null;
  const isConstant = differences.length > 1 && areEqual(metric.pairs, differences);
  const estimate = isConstant
    ? constantEstimate(differences.length, difference)
    : yield* estimateOf(differences, maxResampled);
  return {
    pairs: pairs.length,
    mean_difference: difference,
    confidence_interval: estimate && { low: estimate.low, high: estimate.high },
    effect_size: isConstant ? constantEffect(difference) : effectSize(differences, difference),
    mcnemar,
    p_value: metric.isBoolean && mcnemar ? mcnemar.p_value : (estimate?.pValue ?? 1),
    direction,
    resamples: RESAMPLES,
    seed: BOOTSTRAP_SEED,
  };
}

function* estimateOf(differences: readonly number[], maxResampled: number) {
  return differences.length < 2 ? null : yield* bootstrapMean(differences, maxResampled);
}

/** Resamples of equal differences do not vary, so the exact sign test decides. */
function constantEstimate(pairs: number, difference: number) {
  return { low: difference, high: difference, pValue: difference === 0 ? 1 : 2 ** (1 - pairs) };
}

function constantEffect(difference: number): number | null {
  return difference === 0 ? 0 : null;
}

/** Whether the differences are equal, apart from the rounding of the subtraction. */
function areEqual(pairs: readonly ScorePair[], differences: readonly number[]): boolean {
  const [first = 0] = differences;
  const scale = pairs.reduce((most, pair) => Math.max(most, Math.abs(pair.old), Math.abs(pair.new)), 0);
  return differences.every((difference) => Math.abs(difference - first) <= ROUNDING * scale);
}

function effectSize(differences: readonly number[], difference: number): number | null {
  if (differences.length < 2) return null;
  const squares = sum(differences.map((one) => (one - difference) ** 2));
  const effect = difference / Math.sqrt(squares / (differences.length - 1));
  return Number.isFinite(effect) ? effect : null;
}

function mcnemarOf(pairs: readonly ScorePair[], passes: (score: number) => boolean): McNemarResult {
  let [gained, lost] = [0, 0];
  for (const pair of pairs) {
    const [before, now] = [passes(pair.old), passes(pair.new)];
    if (now && !before) gained++;
    else if (before && !now) lost++;
  }
  return { gained, lost, p_value: exactMcNemar(gained, lost) };
}
