import { roundedMean, roundedSum } from './quick-sum.js';

export const AGGREGATE_FUNCTIONS = [
  'average',
  'min',
  'max',
  'median',
  'p95',
  'p99',
  'p90',
  'sum',
  'count',
] as const;
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

const QUANTILES = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

/**
 * Aggregates values without rounding. Quantiles interpolate linearly between the closest ranks: definition 7 of
 * Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), which is also
 * the default of numpy and pandas. A result beyond the range of a double is its largest finite value.
 * @param values finite numbers; none give 0
 */
export function aggregate(name: AggregateFunction, values: readonly number[]): number {
  if (name === 'count') return values.length;
  if (values.length === 0) return 0;
  switch (name) {
    case 'average':
      return mean(values);
    case 'sum':
      return finite(sum(values));
    case 'min':
      return values.reduce((least, value) => Math.min(least, value));
    case 'max':
      return values.reduce((most, value) => Math.max(most, value));
    default:
      return quantile(Float64Array.from(values).sort(), QUANTILES[name]);
  }
}

/**
 * Returns the arithmetic mean: the exact sum, divided by the number of values and rounded once. 0 of no values. A sum beyond
 * the range of a double does not make it infinite.
 */
export function mean(values: readonly number[]): number {
  if (values.length < 2) return values[0] ?? 0;
  const exact = roundedMean(values);
  if (Number.isFinite(exact)) return exact;
  return finite(sum(values.map((value) => value / values.length)));
}

/** Returns the sum, rounded once. Beyond the range of a double it is infinite. */
export function sum(values: Iterable<number>): number {
  const numbers = [...values];
  const total = roundedSum(numbers);
  return Number.isNaN(total) ? numbers.reduce((all, value) => all + value, 0) : total;
}

/** Returns the quantile at `position`, 0 to 1, of values in ascending order; at least one value. */
export function quantile(sorted: ArrayLike<number>, position: number): number {
  const at = (sorted.length - 1) * position;
  const below = Math.floor(at);
  const [low, high] = [sorted[below] ?? 0, sorted[Math.min(below + 1, sorted.length - 1)] ?? 0];
  const share = at - below;
  return share === 0 || low === high ? low : low * (1 - share) + high * share;
}

/** Returns the number, or the largest finite number of its sign. */
export function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}
