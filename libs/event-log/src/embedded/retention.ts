/**
 * Retention limits of the embedded log. Records that an active group has not committed are kept beyond
 * `maxAgeMs` and `maxBytes`.
 */
export interface Retention {
  /** Milliseconds that a record is kept; 72 h by default. */
  readonly maxAgeMs: number;
  /** Bytes of segments that are kept; 10 GiB by default. */
  readonly maxBytes: number;
  /** At this many bytes appends are refused with `UNAVAILABLE`; no limit by default. */
  readonly hardCapBytes: number;
  /**
   * Beyond this many bytes the oldest segments are removed even if a group has not read them; no limit by
   * default.
   */
  readonly maxLogBytes: number;
}

export const DEFAULT_RETENTION: Retention = {
  maxAgeMs: 72 * 60 * 60 * 1000,
  maxBytes: 10 * 1024 ** 3,
  hardCapBytes: Number.POSITIVE_INFINITY,
  maxLogBytes: Number.POSITIVE_INFINITY,
};

const MAX_SEGMENT_BYTES = 64 * 1024 * 1024;
/** Retention removes whole segments, so it lags by at most an eighth of each limit. */
const SEGMENTS_PER_LIMIT = 8;

/** Size and age at which a segment is full, so that each limit spans several segments. */
export function segmentLimits({ maxAgeMs, maxBytes, hardCapBytes, maxLogBytes }: Retention) {
  const smallest = Math.min(maxBytes, hardCapBytes, maxLogBytes);
  return {
    segmentBytes: Math.min(MAX_SEGMENT_BYTES, Math.floor(smallest / SEGMENTS_PER_LIMIT)),
    segmentMs: maxAgeMs / SEGMENTS_PER_LIMIT,
  };
}

/** The properties of a segment that retention uses. */
export interface SegmentFacts {
  readonly header: { readonly createdAt: number };
  /** Offset after its last record. */
  readonly end: number;
  /** Bytes. */
  readonly length: number;
  /** When its last record was appended, Unix milliseconds. */
  readonly lastAppendedAt: number;
}

export interface RetentionInput {
  readonly retention: Retention;
  /** Unix milliseconds. */
  readonly now: number;
  /** Offset up to which every active group has committed. */
  readonly readByAll: number;
}

export interface Expiry {
  /** Segments to remove, counted from the oldest. The last segment always stays. */
  readonly remove: number;
  /** Number of removed segments that an active group has not read completely. */
  readonly unread: number;
  /** Whether the oldest segment that stays is over a limit and only kept for a group. */
  readonly isHeld: boolean;
}

/** Decides which of the oldest segments go. Pure: nothing is removed here. */
export function findExpired(
  segments: readonly SegmentFacts[],
  { retention, now, readByAll }: RetentionInput,
): Expiry {
  const ages = lastAppendTimes(segments);
  let bytes = segments.reduce((sum, { length }) => sum + length, 0);
  let remove = 0;
  let unread = 0;
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    const isUnread = segment.end > readByAll;
    const isOverCap = bytes > retention.maxLogBytes;
    const isExpired =
      isOverCap || bytes > retention.maxBytes || (ages[index] ?? now) < now - retention.maxAgeMs;
    if (!isExpired) break;
    if (isUnread && !isOverCap) return { remove, unread, isHeld: true };
    if (isUnread) unread += 1;
    bytes -= segment.length;
    remove += 1;
  }
  return { remove, unread, isHeld: false };
}

/**
 * For each segment, a time at which all its records had been appended. Times in the future are ignored: the
 * time of a later segment applies to earlier ones too, because it was started after them.
 */
function lastAppendTimes(segments: readonly SegmentFacts[]): number[] {
  const times: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  for (const { header, lastAppendedAt } of segments.toReversed()) {
    times.push(Math.min(bound, lastAppendedAt));
    bound = Math.min(bound, lastAppendedAt, header.createdAt);
  }
  return times.reverse();
}
