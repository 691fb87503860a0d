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
  return lost * below > 0 && up - total === lost * 2 ? up : total;
}

/** Returns the product of two numbers as two parts, without rounding. */
export function exactProduct(a: number, b: number): readonly [product: number, lost: number] {
  const product = a * b;
  const [aHigh, bHigh] = [upperHalf(a), upperHalf(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  const lost = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return [product, Number.isFinite(lost) ? lost : 0];
}

/** Divides exact sums, and rounds once; the divisor is not 0. */
export function exactQuotient(dividend: ExactSum, divisor: ExactSum): number {
  const near = rounded(dividend) / rounded(divisor);
  if (!Number.isFinite(near)) return near;
  const rest = exactSum([...dividend, ...divisor.flatMap((part) => exactProduct(-near, part))]);
  const correction = rounded(rest) / rounded(divisor);
  return Number.isFinite(correction) ? near + correction : near;
}

function upperHalf(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}
