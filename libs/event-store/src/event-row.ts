import type { PayloadLeaves } from './rows/index-leaves.js';

/** Version of a row: position in the log, `epoch · 2^44 + offset`, below 2^53. The higher one wins. */
export type RowVersion = number;

/** One event to store: the bytes made by `encodeEventRow`, and its version. */
export interface EventRow {
  readonly bytes: Buffer;
  readonly version: RowVersion;
  /**
   * The payload that is stored at the row's location and stays there; the bytes are then those made by
   * `encodeNarrowRow`. Absent: the row replaces the payload.
   */
  readonly keeps?: Pick<StoredPayload, 'version' | 'bytes'>;
}

/** A payload in the store: the values of the fields declared as `payload`. */
export interface StoredPayload {
  readonly version: RowVersion;
  /** Bytes of its objects as JSON text. */
  readonly bytes: number;
  readonly leaves: PayloadLeaves;
}

/** Location of a row: its sort key, with the values that were stored. */
export interface RowLocation {
  readonly projectId: string;
  readonly eventId: string;
  readonly sessionId: string;
  /** Unix milliseconds, as in the row. */
  readonly startTime: number;
}

/** Marks the row at this location as deleted, unless the row's version is higher. */
export interface Tombstone extends RowLocation {
  readonly version: RowVersion;
}

/** Names one event. */
export interface EventKey {
  readonly projectId: string;
  readonly eventId: string;
}

/** Names the state of an event to read. */
export interface StateKey extends EventKey {
  /**
   * The payload is not needed. The state that is returned may have one nevertheless; see
   * `EventState.withoutPayload`.
   */
  readonly withoutPayload?: boolean;
}
