/** Rows that hold values of deleted events, which no reader sees. */
export interface DeletedValues {
  readonly rows: number;
  /** Their share of the bytes of the parts that they are in. */
  readonly bytes: number;
  /** Time of the oldest of these deletions, Unix milliseconds; absent without one whose time is known. */
  readonly oldest?: number;
  /** Time at which parts were last rewritten because of deletions, by any process, Unix milliseconds; absent when they never were. */
  readonly rewrittenAt?: number;
}

/** What one step of a purge may do. */
export interface PurgeLimits {
  /** Only values of events that were deleted before this time, Unix milliseconds. */
  readonly deletedBefore: number;
  /** Bytes on disk of the parts that the step rewrites; with 0 it only says whether one is in progress. */
  readonly maxBytes: number;
  /** Whether one part above `maxBytes` may be rewritten when no other has more bytes of deleted values. */
  readonly allowsLargerPart: boolean;
  /** When nothing else is left, rows go that only say that events were deleted, until this time, Unix milliseconds; absent: they stay. */
  readonly forgetBefore?: number | undefined;
}

/** The outcome of one step of a purge. */
export interface PurgeStep {
  /** `started`: parts are being rewritten; `running`: those of an earlier step still are; `idle`: there is nothing within the limits. */
  readonly state: 'started' | 'running' | 'idle';
  /** Rows that the step removes. */
  readonly rows: number;
  /** Bytes on disk of the parts that the step rewrites. */
  readonly bytes: number;
  /** Whether the engine fails to rewrite parts, and tries again; with `running` only. */
  readonly isFailing?: boolean;
  /** Whether the rows have no values, and only say that events were deleted; with `started` only. There may be none. */
  readonly isForgetting?: boolean;
  /** Whether all that `forgetBefore` names was looked at; with `idle` only. */
  readonly hasForgotten?: boolean;
}

export const NO_STEP = { rows: 0, bytes: 0 } as const;
