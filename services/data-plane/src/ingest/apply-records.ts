import { foldWhileItFits, type Event, type FoldRecord } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventChanges, EventRow, EventState, StoredPayload, Tombstone } from '@assay/event-store';
import {
  decodeEventRow,
  encodeEventRowSteps,
  encodeNarrowRow,
  payloadOfRow,
  sameSortKey,
} from '@assay/event-rows';
import type { Steps } from '@assay/runtime';
import { locatedRowOfEvent, locatedRowOfRecord } from '../relocation/located-row.js';
import type { WrittenBatch } from '../relocation/reconcile.js';
import { readMove, type ConsumedEventRecord, type RecordGroup } from '../shared/consumed-event-record.js';
import type { LoadedBatch } from './load-batch.js';
import { keptPayload, patchOf, withEmptyPayload } from './narrow-update.js';
import { sizeLimit } from './size-limit.js';

/** What the records of one event write to the store, if anything, and the resulting state. */
export interface StateWrites {
  readonly key: string;
  readonly state: EventState;
  readonly row?: EventRow;
  readonly tombstones: readonly Tombstone[];
  readonly changes?: EventChanges;
  /** JSON length of the state; absent when it was not measured. */
  readonly jsonLength?: number;
  /** Events of calling spans with the same span id, to be stored under their own ids; absent without any. */
  readonly displaced?: readonly Event[];
  /** Records that were left out because they make the event too large. */
  readonly tooLarge: readonly ConsumedEventRecord[];
}

/** Called before a record is applied. */
export type OnNextRecord = (record: ConsumedRecord) => void;

/** What a batch writes to the store. */
export interface AppliedBatch {
  readonly created: readonly ConsumedEventRecord[];
  readonly merged: readonly StateWrites[];
  /** What the following steps need once it is written. */
  readonly written: WrittenBatch;
}

/**
 * Applies the records of a batch to the loaded states. Reads and writes nothing. It may be interrupted after each record,
 * because a batch can contain many large updates.
 * @param onNext called with the record that is applied after the next interruption
 */
export function* applyRecords(
  { records, created, toMerge, states }: LoadedBatch,
  onNext: OnNextRecord = () => undefined,
): Steps<AppliedBatch> {
  const merged: StateWrites[] = [];
  for (const group of toMerge) merged.push(yield* foldRecords(states.get(group[0].key) ?? {}, group, onNext));
  const moves = records.filter(({ kind }) => kind === 'move');
  return { created, merged, written: writtenBatch(created, merged, moves) };
}

/** Returns the batch with other writes of its merged events. */
export function withMerged({ created, written }: AppliedBatch, merged: readonly StateWrites[]): AppliedBatch {
  return { created, merged, written: writtenBatch(created, merged, written.moves) };
}

function writtenBatch(
  created: AppliedBatch['created'],
  merged: readonly StateWrites[],
  moves: WrittenBatch['moves'],
): WrittenBatch {
  return {
    rows: [
      ...created.map(locatedRowOfRecord),
      ...merged.flatMap(({ state: { event, withoutPayload } }) =>
        event ? [{ ...locatedRowOfEvent(event), withoutPayload }] : [],
      ),
    ],
    // Tombstones of events that still exist close the old location of a relocated row; they follow no move.
    deletedRows: merged.flatMap(({ state, tombstones }) => (state.event ? [] : tombstones)),
    moves,
    states: [
      ...created.map(({ key, record, version }) => ({ key, row: record.value, version })),
      ...merged.map(({ key, state, jsonLength }) => ({ key, state, jsonLength })),
    ],
  };
}

/**
 * Merges the records of one event into its stored state, except those that make it too large. Writes nothing
 * when the store holds them all already, and no payload when they leave it unchanged.
 */
function* foldRecords(stored: EventState, group: RecordGroup, onNext: OnNextRecord): Steps<StateWrites> {
  const [{ key, record, source }] = group;
  onNext(source);
  yield;
  const kept = keptPayload(stored, group);
  const limit = sizeLimit({ stored, kept }, group);
  yield;
  const { folded, skipped } = yield* foldWhileItFits(stored, foldRecordsOf(group, onNext), limit.fits);
  const skippedVersions = new Set(skipped.map(({ version }) => version));
  const ids = { projectId: record.projectId, eventId: record.eventId };
  const changes = folded.changes && { ...ids, ...folded.changes };
  const { withoutPayload } = stored;
  const whole = folded.event && { ...folded.event, version: folded.version };
  const event = whole && withoutPayload ? withEmptyPayload(whole) : whole;
  yield;
  const row = folded.eventChanged && event ? yield* rowSteps(event, kept) : undefined;
  const payload = event && (row ? payloadOf(row, kept) : stored.payload);
  return {
    key,
    state: { event, changes, payload, ...(event && withoutPayload && { withoutPayload }) },
    row,
    tombstones: [
      ...(folded.eventChanged ? tombstonesOf(stored, folded.event, folded.version) : []),
      ...incompleteTombstones(stored, folded.event, group),
    ],
    changes: folded.changesChanged ? changes : undefined,
    jsonLength: skipped.length === 0 ? limit.jsonLength() : undefined,
    ...(folded.displaced && { displaced: folded.displaced }),
    tooLarge: group.filter(({ version }) => skippedVersions.has(version)),
  };
}

function* rowSteps(
  event: Event & { readonly version: number },
  kept: StoredPayload | undefined,
): Steps<EventRow> {
  const { version } = event;
  if (kept === undefined) return { bytes: yield* encodeEventRowSteps(event), version };
  const keeps = { version: kept.version, bytes: kept.bytes };
  return { bytes: encodeNarrowRow(event, kept), version, keeps };
}

function payloadOf({ bytes, version }: EventRow, kept: StoredPayload | undefined): StoredPayload {
  return kept ?? { version, ...payloadOfRow(bytes) };
}

/** Decodes each record when it is folded, so that decoding is interrupted too: by undefined, which precedes all records but the first. */
function* foldRecordsOf(group: RecordGroup, onNext: OnNextRecord): Generator<FoldRecord | undefined> {
  for (const [index, one] of group.entries()) {
    if (index > 0) {
      onNext(one.source);
      yield undefined;
    }
    yield toFoldRecord(one);
  }
}

function toFoldRecord(consumed: ConsumedEventRecord): FoldRecord {
  const { record, version, firstVersion } = consumed;
  if (record.kind === 'event')
    return { version, kind: 'event', event: decodeEventRow(record.value), firstVersion };
  if (record.kind === 'patch') {
    const { updateId } = record;
    return { version, kind: 'patch', patch: patchOf(consumed), firstVersion, updateId };
  }
  if (record.kind === 'move') return { version, kind: 'move', to: readMove(record).to };
  return { version, kind: 'delete' };
}

/**
 * A row is removed when its event is deleted, or when the sort key changes (the start of a session moved).
 */
function tombstonesOf({ event: old }: EventState, now: Event | undefined, version: number): Tombstone[] {
  if (!old || (now && sameSortKey(old, now))) return [];
  const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = old;
  return [{ projectId, eventId, sessionId, startTime, version }];
}

/**
 * A crashed write left these rows without a payload. They are removed unless a row of the event is at the same
 * location, or a later record, still to be redelivered, wrote them.
 */
function incompleteTombstones(
  { incomplete = [] }: EventState,
  now: Event | undefined,
  group: RecordGroup,
): Tombstone[] {
  const last = Math.max(...group.map(({ version }) => version));
  return incomplete.filter(({ version, sessionId, startTime }) => {
    const isAtEvent = now && sameSortKey({ ...now, session_id: sessionId, start_time: startTime }, now);
    return version <= last && !isAtEvent;
  });
}
