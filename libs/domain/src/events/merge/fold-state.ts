import type { Event, EventPatch } from '../event.js';
import { applyPatch, mergeCreates, mergePatches } from './merge-event.js';

/** Accumulated updates and deletes of an event. `version` is that of the last record applied. */
export interface StoredChanges {
  readonly patch: EventPatch;
  readonly deleted: boolean;
  /** The id that replaces this one in references to it. The first recorded move is kept. */
  readonly movedTo?: string;
  readonly version: number;
}

/**
 * The stored state of one id. The event's `version` is that of the last record applied to its row, which
 * includes the changes.
 */
export interface StoredState {
  readonly event?: Event & { readonly version: number };
  readonly changes?: StoredChanges;
}

/** One record of the log about the event. Versions increase along the log. */
export type FoldRecord =
  | { readonly version: number; readonly kind: 'event'; readonly event: Event }
  | { readonly version: number; readonly kind: 'patch'; readonly patch: EventPatch }
  | { readonly version: number; readonly kind: 'delete' }
  | { readonly version: number; readonly kind: 'move'; readonly to: string };

export interface FoldedState {
  /** The event as readers see it; absent if it has not arrived or is deleted. */
  readonly event?: Event;
  readonly changes?: StoredChanges;
  /** Version of the event's row, or of the tombstone that replaces it. */
  readonly version: number;
  /** Whether the row must be written; if `deleted`, as a tombstone. */
  readonly eventChanged: boolean;
  readonly changesChanged: boolean;
  readonly deleted: boolean;
}

/**
 * Applies records of one event, in the order of the log, to its stored state. Whatever the order of arrival,
 * an update takes precedence over a create per field, and a deleted event stays deleted. Records may be
 * delivered again in different batches, and the process may have stopped between storing the changes and
 * storing the row. The row and the changes therefore have separate versions, and a record is skipped for the
 * one that already includes it. A row never gets a version beyond the current record, even if the stored
 * changes are newer, because creates in between may not have arrived yet.
 */
export function foldState(state: StoredState, records: readonly FoldRecord[]): FoldedState {
  return records.reduce(foldRecord, startOf(state));
}

function startOf({ event: row, changes }: StoredState): FoldedState {
  const unchanged = {
    changes,
    eventChanged: false,
    changesChanged: false,
    deleted: changes?.deleted ?? false,
  };
  if (row === undefined) return { ...unchanged, version: NO_VERSION };
  const { version, ...event } = row;
  return { ...unchanged, event, version };
}

/** Lower than every version: nothing is stored yet. */
const NO_VERSION = -1;

function foldRecord(before: FoldedState, record: FoldRecord): FoldedState {
  return foldIntoEvent(foldIntoChanges(before, record), record);
}

function foldIntoChanges(before: FoldedState, record: FoldRecord): FoldedState {
  const { changes } = before;
  if (record.kind === 'event' || before.deleted || record.version <= (changes?.version ?? NO_VERSION))
    return before;
  const { version } = record;
  if (record.kind === 'delete') {
    return {
      ...before,
      changes: { ...changes, patch: {}, deleted: true, version },
      changesChanged: true,
      deleted: true,
    };
  }
  const earlier: Omit<StoredChanges, 'version'> = changes ?? { patch: {}, deleted: false };
  if (record.kind === 'move') {
    return {
      ...before,
      changes: { ...earlier, movedTo: earlier.movedTo ?? record.to, version },
      changesChanged: true,
    };
  }
  const patch = changes === undefined ? record.patch : mergePatches(changes.patch, record.patch);
  return { ...before, changes: { ...earlier, patch, version }, changesChanged: true };
}

function foldIntoEvent(before: FoldedState, record: FoldRecord): FoldedState {
  const { version } = record;
  if (version <= before.version || record.kind === 'move') return before;
  if (before.deleted)
    return before.event === undefined ? before : { ...before, event: undefined, version, eventChanged: true };
  const created = mergedCreate(before.event, record);
  if (created === undefined) return before;
  return { ...before, event: applyPatch(created, before.changes?.patch ?? {}), version, eventChanged: true };
}

function mergedCreate(event: Event | undefined, record: FoldRecord): Event | undefined {
  if (record.kind !== 'event') return event;
  return event === undefined ? record.event : mergeCreates(event, record.event);
}
