import { finite, mean, quantile, sum } from './aggregate.js';
import { normalCdf, normalQuantile } from './normal.js';
import { randomIndexes } from './random-indexes.js';

export const RESAMPLES = 10_000;
/** Seed of every bootstrap, so that the same scores always give the same interval. */
export const BOOTSTRAP_SEED = 20_240_601;
/** Resamples between two interruptions. */
const RESAMPLES_PER_STEP = 250;
/** Means that differ by less, relative to the largest difference, differ by rounding alone. */
const ROUNDING = 1e-12;

const CONFIDENCE_TAIL = 0.025;

/** What the bootstrap says of a mean. */
export interface BootstrapMean {
  /** 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
  /** Two-sided: 1 minus the level of the largest interval that does not contain 0; at least 2 / 10,001. */
  readonly pValue: number;
}

/**
 * Estimates the mean of differences by the bias-corrected and accelerated bootstrap (BCa): B. Efron, "Better
 * Bootstrap Confidence Intervals", Journal of the American Statistical Association 82 (1987), with the acceleration
 * of the jackknife, as in Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), §14.3. The p-value inverts
 * the interval: it is the smallest error probability whose interval excludes 0.
 * @param differences at least two, not all equal
 * @param maxResampled of more differences, the means of so many blocks are resampled; a mean of block means has
 *   almost the same distribution
 */
export function* bootstrapMean(
  differences: readonly number[],
  maxResampled: number,
): Generator<undefined, BootstrapMean, undefined> {
  const sample = blockMeans(differences, maxResampled);
  const means = yield* resampledMeans(sample);
  const estimate = mean(sample);
  const tolerance = ROUNDING * sample.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bias = normalQuantile(bounded(shareBelow(means, estimate, tolerance)));
  const acceleration = jackknifeAcceleration(sample, estimate);
  const positionOf = (tail: number) => {
    const shifted = bias + normalQuantile(tail);
    return normalCdf(bias + shifted / (1 - acceleration * shifted));
  };
  const atZero = normalQuantile(bounded(shareBelow(means, 0, tolerance))) - bias;
  const tail = normalCdf(atZero / (1 + acceleration * atZero) - bias);
  return {
    low: quantile(means, positionOf(CONFIDENCE_TAIL)),
    high: quantile(means, positionOf(1 - CONFIDENCE_TAIL)),
    pValue: Math.min(1, Math.max(2 * Math.min(tail, 1 - tail), 2 / (RESAMPLES + 1))),
  };
}

/** The means of the resamples, in ascending order. */
function* resampledMeans(sample: readonly number[]): Generator<undefined, Float64Array, undefined> {
  const values = Float64Array.from(sample);
  const next = randomIndexes(BOOTSTRAP_SEED, values.length);
  const means = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    if (resample % RESAMPLES_PER_STEP === 0) yield;
    let total = 0;
    for (let drawn = 0; drawn < values.length; drawn++) total += values[next()] ?? 0;
    means[resample] = finite(total / values.length);
  }
  return means.sort();
}

/** Spreads the values over blocks of almost the same size, in turn, and returns the mean of each. */
function blockMeans(values: readonly number[], count: number): readonly number[] {
  if (values.length <= count) return values;
  const blocks = Array.from({ length: count }, (): number[] => []);
  values.forEach((value, index) => blocks[index % count]?.push(value));
  return blocks.map(mean);
}

/** The share of values below a bound; values at the bound count half. */
function shareBelow(sorted: Float64Array, bound: number, tolerance: number): number {
  let [below, equal] = [0, 0];
  for (const value of sorted) {
    if (value < bound - tolerance) below++;
    else if (value <= bound + tolerance) equal++;
  }
  return (below + equal / 2) / sorted.length;
}

/** Limits a share to values between 0 and 1, because the quantile of 0 and 1 is infinite. */
function bounded(share: number): number {
  return Math.min(Math.max(share, 1 / (RESAMPLES + 1)), RESAMPLES / (RESAMPLES + 1));
}

function jackknifeAcceleration(sample: readonly number[], estimate: number): number {
  const deviations = sample.map((value) => value - estimate);
  const squares = sum(deviations.map((value) => value ** 2));
  const cubes = sum(deviations.map((value) => value ** 3));
  const acceleration = cubes / (6 * squares ** 1.5);
  return Number.isFinite(acceleration) ? acceleration : 0;
}
