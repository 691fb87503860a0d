/** The exact sum of numbers, as doubles that do not overlap, in ascending order of magnitude. */
export type ExactSum = readonly number[];

/** Splits a double into two halves of 26 bits: T. J. Dekker, Numerische Mathematik 18 (1971). */
const SPLITTER = 2 ** 27 + 1;

/**
 * Adds numbers without rounding: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates", Discrete & Computational Geometry 18 (1997). Beyond the range of a double, a part is not
 * finite.
 */
export function exactSum(values: Iterable<number>): ExactSum {
  const parts: number[] = [];
  for (const value of values) {
    let rest = value;
    let count = 0;
    for (const part of parts) {
      const next = rest + part;
      const lost = Math.abs(rest) >= Math.abs(part) ? rest - next + part : part - next + rest;
      if (lost !== 0) parts[count++] = lost;
      rest = next;
    }
    parts[count] = rest;
    if (parts.length > count + 1) parts.length = count + 1;
  }
  return parts;
}

/** Returns the double that is nearest to an exact sum; of two, the even one. */
export function rounded(parts: ExactSum): number {
  let index = parts.length - 1;
  let total = parts[index] ?? 0;
  let lost = 0;
  while (index > 0 && lost === 0) {
    const before = total;
    const part = parts[--index] ?? 0;
    total = before + part;
    lost = part - (total - before);
  }
  // The parts below decide whether the sum is really halfway between two doubles.
  const below = index > 0 ? (parts[index - 1] ?? 0) : 0;
  const up = total + lost * 2;
  const isBeyond = Math.sign(lost) * Math.sign(below) > 0;
  return isBeyond && up - total === lost * 2 ? up : total;
}

/** Returns the product of two numbers as two parts, without rounding. */
export function exactProduct(a: number, b: number): readonly [product: number, lost: number] {
  const product = a * b;
  const [aHigh, bHigh] = [upperHalf(a), upperHalf(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  const lost = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return [product, Number.isFinite(lost) ? lost : 0];
}

/** Divides exact sums, and rounds once, of two doubles that are as near to the even one; the divisor is not 0. */
export function exactQuotient(dividend: ExactSum, divisor: ExactSum): number {
  const near = rounded(dividend) / rounded(divisor);
  if (!Number.isFinite(near)) return near;
  const correction = rounded(rest(dividend, divisor, [near])) / rounded(divisor);
  const quotient = near + correction;
  if (!Number.isFinite(quotient)) return near;
  const lost = correction - (quotient - near);
  if (lost === 0) return quotient;
  const other = neighbour(quotient, lost);
  const half = (other - quotient) / 2;
  if (Math.abs(lost - half) > Math.abs(half) * HALFWAY) return quotient;
  // The correction was rounded, too: what is left at the point between both doubles says on which side of it the quotient is.
  const beyond = rounded(rest(dividend, divisor, [quotient, half])) / rounded(divisor) / half;
  return beyond > 0 || (beyond === 0 && !isEven(quotient)) ? other : quotient;
}

/** Relative error of a correction that was rounded several times, and more. */
const HALFWAY = 2 ** -48;

/** What is left of a dividend after a quotient, given in parts. */
function rest(dividend: ExactSum, divisor: ExactSum, quotient: readonly number[]): ExactSum {
  const products = quotient.flatMap((part) => divisor.flatMap((one) => exactProduct(-part, one)));
  return exactSum([...dividend, ...products]);
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The next double in a direction. */
function neighbour(value: number, direction: number): number {
  if (value === 0) return Math.sign(direction) * Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += direction > 0 === value > 0 ? 1n : -1n;
  return double[0];
}

function isEven(value: number): boolean {
  double[0] = value;
  return (bits[0]! & 1n) === 0n;
}

function upperHalf(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}
