import type { EventOrigin, EventType } from '@assay/domain';

/** How often a name was used by the events of a session. */
export interface EventNameCount {
  readonly eventType: EventType;
  /** At most 200 characters. */
  readonly eventName: string;
  readonly count: number;
}

/** The values of one metric over the events of a session; true counts as 1 and false as 0. */
export interface MetricTotals {
  /** At most 200 characters. */
  readonly name: string;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** The events that started on one day (UTC), without those that are sessions. */
export interface DayCount {
  /** Such as `2026-11-22`. */
  readonly day: string;
  readonly events: number;
  readonly modelEvents: number;
  /** Events that ended with an error. */
  readonly errors: number;
  /** What the model events report, added up. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** USD, of the model events; null when the cost of one that reports tokens is unknown. */
  readonly cost: number | null;
  /** The models of these, as `listUnpriced` of the domain returns them. */
  readonly unpricedModels: readonly string[];
}

/** The row of the session itself. Times are Unix milliseconds. */
export interface SessionRow {
  readonly name: string;
  readonly source: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly origin: EventOrigin;
}

/** Bounds of the lists in a {@link SessionSummary}. */
export const SUMMARY_LIMITS = { names: 20, metrics: 50, runIds: 20, days: 366 } as const;

/** What is known of a session from all its rows, in bounded size. */
export interface SessionSummary {
  /**
   * Grows with every change of the session's rows: the sum of their versions, tombstones included, as decimal
   * text. Of two summaries of a session the one with the greater watermark is the newer.
   */
  readonly watermark: string;
  /** Rows that were read for it, tombstones included. */
  readonly rows: number;
  /** Absent while the session has no row of its own. */
  readonly session?: SessionRow;
  /** Visible events other than the session itself; the other counts are about the same events. */
  readonly numEvents: number;
  readonly numModelEvents: number;
  readonly numToolEvents: number;
  readonly numChainEvents: number;
  /** Events that ended with an error. */
  readonly numErrors: number;
  /** Unix milliseconds; absent without events. */
  readonly firstStart?: number;
  readonly lastEnd?: number;
  /** The most frequent names, then by name. */
  readonly names: readonly EventNameCount[];
  /** By name; the first ones of more than the limit. */
  readonly metrics: readonly MetricTotals[];
  /** Runs that an event of the session, or the session, belongs to; sorted. */
  readonly runIds: readonly string[];
  /** Newest first; without the days beyond the limit. */
  readonly days: readonly DayCount[];
}
