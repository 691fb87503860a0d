/** Scores that differ by less, relative to the larger one, count as equal where they are compared with a bound. */
export const BOUND_TOLERANCE = 1e-9;

/** Returns whether two numbers are equal within {@link BOUND_TOLERANCE}; only 0 is equal to 0. */
export function isNear(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= BOUND_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/** Returns whether a value reaches a lower bound. */
export function isAtLeast(value: number, bound: number): boolean {
  return value >= bound || isNear(value, bound);
}

/** Returns whether a value is within an upper bound. */
export function isAtMost(value: number, bound: number): boolean {
  return value <= bound || isNear(value, bound);
}
