import { randomBytes } from 'node:crypto';

/** Gives the next place at the end of any list: a text that sorts after all that were given before. */
export type NextPosition = () => string;

/**
 * Places follow the clock in microseconds and never stand still, so that one process adds in the order in which it was asked. Those of
 * two processes differ by their random end.
 */
export function makeNextPosition(now: () => Date): NextPosition {
  let last = 0;
  return function nextPosition() {
    last = Math.max(now().getTime() * 1_000, last + 1);
    return `${String(last).padStart(17, '0')}-${randomBytes(4).toString('hex')}`;
  };
}

/** A text that sorts after this position and before every later one. */
export function after(position: string): string {
  return `${position}+`;
}
