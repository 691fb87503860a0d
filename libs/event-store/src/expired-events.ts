import type { Cutoffs } from '@assay/domain';
import type { RowLocation } from './row-location.js';

/** Where a page of expired events starts. */
export interface ExpiredCursor {
  /** Hour of the sort key, Unix seconds. */
  readonly startHour: number;
  /** The last row that was looked at in the hour; absent: the hour is looked at from its start. */
  readonly row?: Pick<RowLocation, 'sessionId' | 'eventId'>;
}

export interface ExpiredQuery {
  readonly cutoffs: Cutoffs;
  /** Unix milliseconds: no event that starts in an earlier hour is looked at. Absent: all are. */
  readonly from?: number;
  /** The `next` of the previous page; it counts instead of `from`. */
  readonly after?: ExpiredCursor;
  /** Events of the page at most, and about as many rows are looked at. */
  readonly limit: number;
  /** Whether to read the runs of the events. */
  readonly withRuns: boolean;
}

/** An event of a type that is kept for a shorter time than since its start. */
export interface ExpiredRow extends RowLocation {
  /** The run that the event names, or else the event of its session; empty: none, or not asked for. */
  readonly runId: string;
}

/** A page of expired events, possibly without any before the last one. */
export interface ExpiredPage {
  readonly events: readonly ExpiredRow[];
  /** Absent on the last page. */
  readonly next?: ExpiredCursor;
}
