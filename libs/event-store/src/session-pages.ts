import type { Filter } from '@assay/domain';
import type { RowVersion } from './row-location.js';
import type { RunMembers } from './run-members.js';

/** Which sessions were written to. */
export interface WrittenQuery {
  /** Ranges of versions; `to` is excluded. */
  readonly versions: readonly { readonly from: RowVersion; readonly to: RowVersion }[];
  /** Number of rows, tombstones and rows that were replaced included. */
  readonly minRows: number;
}

/** A page of the events of a session. */
export interface SessionMembers {
  readonly eventIds: readonly string[];
  /** The `after` of the next page; absent on the last page. */
  readonly next?: string;
}

/** A page of sessions: by start, then by id, both descending. */
export interface SessionQuery {
  /** Bounds of the start, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly source?: string;
  /** Only sessions with an event of these runs. */
  readonly runs?: RunMembers;
  /** All must hold for the event of the session itself, with the values that it derives from others. */
  readonly filters?: readonly Filter[];
  /** The last session of the page before. */
  readonly after?: SessionPosition;
  readonly limit: number;
}

export interface SessionPosition {
  /** Unix milliseconds. */
  readonly startTime: number;
  readonly sessionId: string;
}
