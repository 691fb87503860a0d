import type { Event } from '@assay/domain';

/** 2000-01-01 and the last millisecond before 2100: bounds of the start times of the sort key. */
export const FIRST_START = 946_684_800_000;
export const LAST_START = 4_102_444_799_999;
const HOUR_MS = 3_600_000;
const HOUR_SECONDS = 3_600;

/**
 * Returns whether two versions of an event have the same location in the sort order, so that the engine
 * replaces the older one.
 */
export function sameSortKey(one: Event, other: Event): boolean {
  return one.session_id === other.session_id && startHour(one.start_time) === startHour(other.start_time);
}

/**
 * Returns a start time of any client clock in whole Unix milliseconds, within the years that a sort key can hold.
 */
export function startAt(startTime: number): number {
  return Math.trunc(Math.min(Math.max(startTime, FIRST_START), LAST_START));
}

/** The hour of {@link startAt}, in Unix seconds. */
export function startHour(startTime: number): number {
  return Math.floor(startAt(startTime) / HOUR_MS) * HOUR_SECONDS;
}
