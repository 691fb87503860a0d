import type { Event } from '@assay/domain';

/** 2000-01-01 and the last millisecond before 2100: where the start times of the sort key end. */
export const FIRST_START = 946_684_800_000;
export const LAST_START = 4_102_444_799_999;
const HOUR_MS = 3_600_000;

/** Whether two versions of an event take the same place in the sort order, so that the newer one replaces the older by itself. */
export function sameSortKey(one: Event, other: Event): boolean {
  return one.session_id === other.session_id && startHour(one.start_time) === startHour(other.start_time);
}

/** Hours since 1970 of the clamped start time. */
function startHour(startTime: number): number {
  return Math.floor(Math.min(Math.max(startTime, FIRST_START), LAST_START) / HOUR_MS);
}
