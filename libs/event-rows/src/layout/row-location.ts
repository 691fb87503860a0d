/** Version of a row: position in the log, `epoch · 2^44 + offset`, below 2^53. The higher one wins. */
export type RowVersion = number;

/** Location of a row: its sort key, with the values that were stored. */
export interface RowLocation {
  readonly projectId: string;
  readonly eventId: string;
  readonly sessionId: string;
  /** Unix milliseconds, as in the row. */
  readonly startTime: number;
}
