import { validationError } from '@assay/errors';
import { toMilliseconds } from './instant.js';

/**
 * Returns a time as Unix milliseconds; micro- and nanoseconds are scaled.
 * @throws AppError `VALIDATION_ERROR` naming `path` if it is negative or not finite
 */
export function checkTime(time: number, path: string): number {
  const finite = checkFinite(time, path);
  if (finite < 0) throw validationError(`${path} must be a time in Unix milliseconds, not negative`);
  return toMilliseconds(finite);
}

/** @throws AppError `VALIDATION_ERROR` naming `path` for infinities (a JSON number such as 1e999) and NaN */
export function checkFinite(value: number, path: string): number {
  if (!Number.isFinite(value)) throw validationError(`${path} must be a finite number`);
  return value;
}

/** Start, end and duration of a step as they are stored. */
export interface Times {
  readonly start_time: number;
  readonly end_time: number | null;
  readonly duration: number | null;
}

/**
 * Completes the times of a step: the start defaults to `now`, and a missing end or duration is derived from
 * the other. An end before the start is kept.
 */
export function completeTimes(
  sent: { start_time?: number; end_time?: number; duration?: number },
  now: number,
  path: string,
): Times {
  const start = sent.start_time === undefined ? now : checkTime(sent.start_time, `${path}start_time`);
  const end = sent.end_time === undefined ? null : checkTime(sent.end_time, `${path}end_time`);
  const duration = sent.duration === undefined ? null : checkFinite(sent.duration, `${path}duration`);
  return { start_time: start, ...completeEnd(start, end, duration) };
}

/** Derives a missing end or duration from the other. */
export function completeEnd(
  start: number,
  end: number | null,
  duration: number | null,
): Pick<Times, 'end_time' | 'duration'> {
  if (end === null) return { end_time: duration === null ? null : start + duration, duration };
  return { end_time: end, duration: duration ?? end - start };
}
