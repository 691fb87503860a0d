import type { Event, EventPatch } from '@assay/domain';
import type { RowLocation, RowVersion } from './row-location.js';
import type { RowPayload } from '@assay/event-rows';

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

/** A payload in the store. */
export interface StoredPayload extends RowPayload {
  readonly version: RowVersion;
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
   * {@link EventState.withoutPayload}.
   */
  readonly withoutPayload?: boolean;
}

/** Accumulated updates and deletes of an event id, whether or not the event itself has arrived. */
export interface EventChanges {
  readonly projectId: string;
  readonly eventId: string;
  /** All updates so far, merged into one. */
  readonly patch: EventPatch;
  /** Deleted events stay deleted: a later create has no effect. */
  readonly deleted: boolean;
  /** The id that replaces this one as a session or a parent; absent when it was not moved. */
  readonly movedTo?: string;
  /** Identities of updates that must not be applied twice, up to 64 characters each; absent without any. */
  readonly updateIds?: readonly string[];
  readonly version: RowVersion;
}

/** Whether an id that other events may name as their session or parent was deleted or moved. */
export interface ChangeFlags {
  readonly deleted: boolean;
  readonly movedTo?: string;
}

/** The writes of one batch of the log. */
export interface StoreBatch {
  readonly rows: readonly EventRow[];
  readonly tombstones: readonly Tombstone[];
  readonly changes: readonly EventChanges[];
  /** Names the batch: the same bytes written again under the same token have no effect. */
  readonly token: string;
}

/** Everything that is stored under one id. */
export interface EventState {
  readonly event?: Event & { readonly version: RowVersion };
  readonly changes?: EventChanges;
  /** What is known of the event's payload. Absent when a crashed write left the event and its payload apart. */
  readonly payload?: StoredPayload;
  /** The payload was not read: the objects of these fields are empty in `event`. Requires `payload`. */
  readonly withoutPayload?: true;
  /**
   * Tombstones that remove rows of which a crashed write left only one half; readers do not see them. Absent
   * without such rows.
   */
  readonly incomplete?: readonly Tombstone[];
}
