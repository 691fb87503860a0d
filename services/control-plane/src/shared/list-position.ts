import { randomBytes } from 'node:crypto';

/** Returns a position at the end of any list: a text that sorts after all earlier results. */
export type NextPosition = () => string;

/**
 * Returns a generator of positions. They follow the clock in microseconds and increase strictly, so that one
 * process appends in the order of its calls. A random suffix makes the positions of two processes distinct.
 */
export function makeNextPosition(now: () => Date): NextPosition {
  let last = 0;
  return function nextPosition() {
    last = Math.max(now().getTime() * 1_000, last + 1);
    return `${String(last).padStart(17, '0')}-${randomBytes(4).toString('hex')}`;
  };
}

/** Returns a text that sorts after this position and before every later one. */
export function after(position: string): string {
  return `${position}+`;
}
