import type { Steps } from '../../steps.js';
import type { Event, EventPatch } from '../event.js';
import { applyPatch, mergeCreates, mergePatches } from './merge-event.js';
import { belowCallingEvent, separateEvents } from './shared-span-id.js';

/** Accumulated updates and deletes of an event. `version` is that of the last record applied. */
export interface StoredChanges {
  readonly patch: EventPatch;
  readonly deleted: boolean;
  /** The id that replaces this one in references to it. The first recorded move is kept. */
  readonly movedTo?: string;
  /** Identities of applied updates, oldest first, at most {@link MAX_UPDATE_IDS}; absent without any. */
  readonly updateIds?: readonly string[];
  readonly version: number;
}

/**
 * Number of identities of updates that are stored per event. An update that clients send again after so many
 * others is applied again.
 */
export const MAX_UPDATE_IDS = 64;

/**
 * The stored state of one id. The event's `version` is that of the last record applied to its row, which
 * includes the changes.
 */
export interface StoredState {
  readonly event?: Event & { readonly version: number };
  readonly changes?: StoredChanges;
}

/**
 * One record of the log about the event. Versions increase along the log. A create or update that is replayed
 * names the version that it had first: what is stored with a higher version wins over it.
 */
export type FoldRecord =
  | {
      readonly version: number;
      readonly kind: 'event';
      readonly event: Event;
      readonly firstVersion?: number;
    }
  | {
      readonly version: number;
      readonly kind: 'patch';
      readonly patch: EventPatch;
      readonly firstVersion?: number;
      /** Identity of the update: of records with the same one only the first is applied. */
      readonly updateId?: string;
    }
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
  /**
   * Events of calling spans whose id belongs to the serving span with the same span id, to be stored under their own ids.
   * Absent without any.
   */
  readonly displaced?: readonly Event[];
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

/** A fold that left out the records which would have made the event too large. */
export interface BoundedFold {
  readonly folded: FoldedState;
  readonly skipped: readonly FoldRecord[];
}

/**
 * Like {@link foldState}, but leaves out each create or update whose result does not fit; the event stays
 * unchanged and later records that fit still apply. A record that the stored state contains already is not
 * judged again. A long task, because events and records are large: it may be interrupted after each record, while
 * one is measured, and where `records` has undefined.
 */
export function* foldWhileItFits(
  state: StoredState,
  records: Iterable<FoldRecord | undefined>,
  fits: (folded: FoldedState) => Steps<boolean>,
): Steps<BoundedFold> {
  const skipped: FoldRecord[] = [];
  let folded = startOf(state);
  for (const record of records) {
    yield;
    if (record === undefined) continue;
    const next = foldRecord(folded, record);
    const grows = next !== folded && (record.kind === 'event' || record.kind === 'patch');
    yield;
    if (grows && !(yield* fits(next))) skipped.push(record);
    else folded = next;
  }
  return { folded, skipped };
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
  if (isRepeatedUpdate(before, record)) return before;
  const changed = foldIntoChanges(before, rank(record, before.changes?.version ?? NO_VERSION));
  return foldIntoEvent(changed, rank(record, before.version));
}

/**
 * Returns whether the same update was applied as an earlier record. A record that the stored changes include
 * may be the first one, and still has to reach the row.
 */
function isRepeatedUpdate({ changes }: FoldedState, record: FoldRecord): boolean {
  return (
    record.kind === 'patch' &&
    record.updateId !== undefined &&
    changes?.updateIds?.includes(record.updateId) === true &&
    record.version > changes.version
  );
}

/** A record, and whether what is stored wins over it. */
type RankedRecord = FoldRecord & { readonly outranked?: boolean };

/**
 * A replayed record takes its first version when nothing newer is stored, so that several replayed records
 * keep their order. Otherwise the stored values win, and the result has the version of the replay.
 */
function rank(record: FoldRecord, storedVersion: number): RankedRecord {
  const first = 'firstVersion' in record ? record.firstVersion : undefined;
  if (first === undefined) return record;
  return first >= storedVersion ? { ...record, version: first } : { ...record, outranked: true };
}

function foldIntoChanges(before: FoldedState, record: RankedRecord): FoldedState {
  const { changes } = before;
  if (record.kind === 'event' || before.deleted || record.version <= (changes?.version ?? NO_VERSION))
    return before;
  const { version } = record;
  if (record.kind === 'delete') {
    return {
      ...before,
      changes: { ...withoutUpdateIds(changes), patch: {}, deleted: true, version },
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
  const patch =
    changes === undefined ? record.patch : mergePatches(...inOrder(changes.patch, record.patch, record));
  const updateIds =
    record.updateId === undefined ? {} : { updateIds: withUpdateId(earlier, record.updateId) };
  return { ...before, changes: { ...earlier, patch, ...updateIds, version }, changesChanged: true };
}

function withUpdateId({ updateIds = [] }: Partial<StoredChanges>, updateId: string): readonly string[] {
  return [...updateIds, updateId].slice(-MAX_UPDATE_IDS);
}

function withoutUpdateIds(changes: StoredChanges | undefined): Partial<StoredChanges> {
  const { updateIds: _updateIds, ...others } = changes ?? {};
  return others;
}

function foldIntoEvent(before: FoldedState, record: RankedRecord): FoldedState {
  const { version } = record;
  if (version <= before.version || record.kind === 'move') return before;
  if (before.deleted)
    return before.event === undefined ? before : { ...before, event: undefined, version, eventChanged: true };
  const separate =
    record.kind === 'event' && before.event ? separateEvents(before.event, record.event) : undefined;
  const created = separate?.serving ?? mergedCreate(before.event, record);
  if (created === undefined) return before;
  const event = applyPatch(created, before.changes?.patch ?? {});
  const next = { ...before, event, version, eventChanged: true };
  return separate ? { ...next, displaced: [...(before.displaced ?? []), separate.calling] } : next;
}

function mergedCreate(event: Event | undefined, record: RankedRecord): Event | undefined {
  if (record.kind !== 'event') return event;
  if (event === undefined) return record.event;
  return belowCallingEvent(mergeCreates(...inOrder(event, record.event, record)));
}

/** Returns the stored value and that of the record, the one that wins last. */
function inOrder<T>(stored: T, added: T, { outranked }: RankedRecord): [older: T, newer: T] {
  return outranked ? [added, stored] : [stored, added];
}
