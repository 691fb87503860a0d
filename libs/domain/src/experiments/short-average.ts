/** Two units in the last place of a double, at most: what an average that is rounded twice may differ by. */
const ROUNDING = 2 ** -51;
/** Every decimal of so many digits is a double of its own. */
const DIGITS = 15;
/** Decimals with more digits are not what people have written, such as five sixths. */
const SHORT_DIGITS = 12;

/**
 * Returns an average that was computed with rounding as people expect it: a short decimal where it is as good, such as
 * 0.7 for the average of 0.7, 0.7 and 0.7, which floating-point division makes 0.6999999999999998.
 */
export function shortAverage(value: number): number {
  const short = Number(value.toPrecision(SHORT_DIGITS));
  if (short !== Number(value.toPrecision(DIGITS))) return value;
  return Math.abs(value - short) <= Math.abs(value) * ROUNDING ? short : value;
}
