import { exactQuotient, exactSum, rounded, type ExactSum } from './exact-sum.js';

/** Fewer values are added up exactly in the same time. */
const MIN_VALUES = 16;
/** Four times the square of the relative error of one addition. */
const SQUARED_ERROR = 2 ** -104;

/** Bounds of a sum, whose exact value lies between. */
interface SumBounds {
  readonly low: ExactSum;
  readonly high: ExactSum;
}

/** Returns the double that is nearest to the exact sum: the same as adding exactly, in a third of the time for most lists. */
export function roundedSum(values: readonly number[]): number {
  return certain(values, rounded) ?? rounded(exactSum(values));
}

/** Returns the exact sum of the values divided by their number, likewise; infinite or no number where the sum is. */
export function roundedMean(values: readonly number[]): number {
  const quotient = (total: ExactSum) =>
    Number.isFinite(rounded(total)) ? exactQuotient(total, [values.length]) : rounded(total);
  return certain(values, quotient) ?? quotient(exactSum(values));
}

/** Returns what both bounds of the sum lead to; undefined when they differ. */
function certain(values: readonly number[], result: (total: ExactSum) => number): number | undefined {
  const bounds = values.length < MIN_VALUES ? undefined : boundsOf(values);
  if (bounds === undefined) return undefined;
  const low = result(bounds.low);
  return Object.is(low, result(bounds.high)) ? low : undefined;
}

/**
 * Adds with the rounding error of each addition carried along (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
 * endlicher Summen", ZAMM 54, 1974). The errors are added with rounding, which is wrong by at most n² times the squared error of one
 * addition, relative to the sum of the magnitudes.
 */
function boundsOf(values: readonly number[]): SumBounds | undefined {
  let [total, lost, magnitude] = [0, 0, 0];
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    magnitude += Math.abs(value);
    total = next;
  }
  const error = values.length ** 2 * SQUARED_ERROR * magnitude;
  if (!Number.isFinite(magnitude) || !Number.isFinite(error)) return undefined;
  return { low: exactSum([total, lost - error]), high: exactSum([total, lost + error]) };
}
