import { createHash } from 'node:crypto';
import type { EventRecord, RecordKind } from '@assay/contracts';
import { decodeRecord } from '@assay/contracts';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventKey, EventRow, EventState, EventStore, Tombstone } from '@assay/event-store';
import { rowFromJson } from '@assay/event-store/rows';
import { foldRecords, type ConsumedEventRecord, type StateWrites } from './fold-records.js';
import { makeEraseSessions } from './erase-sessions.js';
import type { EventIdFilter } from './event-id-filter.js';
import type { EventStateCache } from './event-state-cache.js';
import { withMovedSessions } from './moved-creates.js';
import { makeMoveRows } from './move-rows.js';
import { locatedRowOfEvent, locatedRowOfRecord, type LocatedRow } from './located-row.js';
import { makeReconcileMovedRows } from './reconcile-moved-rows.js';

export interface StoreReaderDeps {
  readonly store: Pick<EventStore, 'write' | 'states' | 'readChangeFlags' | 'rowLocations'>;
  readonly known: EventIdFilter;
  readonly recent: EventStateCache;
  /** Raised when the number of partitions changes; part of every version. */
  readonly epoch: number;
}

/** Offsets below this many belong to one epoch; 2^44 leaves room for 512 epochs below 2^53. */
const OFFSETS_PER_EPOCH = 2 ** 44;

/** The version that a record at this offset gives to what it changes. */
export function versionOf(epoch: number, offset: number): number {
  return epoch * OFFSETS_PER_EPOCH + offset;
}

/**
 * Makes the handler of the `store` group: takes one batch of the log to the event store. When it resolves, the batch is stored; handled again, it
 * changes nothing. An event whose id is new goes through as the bytes that ingestion made; everything else is merged first. What belongs to a deleted
 * session is taken away again, and what belongs elsewhere is moved there, before the batch counts as stored.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read, `UNAVAILABLE` when the store cannot be reached
 */
export function makeStoreReader(deps: StoreReaderDeps) {
  const eraseSessions = makeEraseSessions(deps);
  const reconcileMovedRows = makeReconcileMovedRows(deps);
  const moveRows = makeMoveRows({ ...deps, reconcileMovedRows });
  return async function storeBatch(batch: readonly ConsumedRecord[]): Promise<void> {
    const groups = groupByEvent(batch, deps.epoch);
    const fresh: ConsumedEventRecord[] = [];
    const toMerge: RecordGroup[] = [];
    for (const group of groups.values()) {
      const [only] = group;
      if (group.length === 1 && isNew(only.record, deps.known)) fresh.push(only);
      else toMerge.push(group);
    }
    const merged = await mergeGroups(toMerge, deps);
    await deps.store.write({
      rows: [...fresh.map(rowOf), ...merged.flatMap(({ row }) => row ?? [])],
      tombstones: merged.flatMap(({ tombstones }) => tombstones),
      changes: merged.flatMap(({ changes }) => changes ?? []),
      token: tokenOf(batch, merged),
    });
    for (const { record } of [...groups.values()].flat()) deps.known.add(record.eventId);
    const settled = await reconcileMovedRows(rowsAfter(fresh, merged), merged.flatMap(goneRows));
    remember(fresh, merged, settled.changed, deps);
    const moved = await moveRows(recordsOf('move', groups));
    await eraseSessions([
      ...recordsOf('delete', groups),
      ...settled.deletedSessions,
      ...moved.deletedSessions,
    ]);
  };
}

/** The records of one event, in the order of the log. */
type RecordGroup = [ConsumedEventRecord, ...ConsumedEventRecord[]];

function groupByEvent(batch: readonly ConsumedRecord[], epoch: number): Map<string, RecordGroup> {
  const groups = new Map<string, RecordGroup>();
  for (const placed of batch) {
    const record = currentRecord(placed);
    const key = `${record.projectId}/${record.eventId}`;
    const group = groups.get(key);
    const entry = { key, record, version: versionOf(epoch, placed.offset) };
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/** The record, with the row of an event in its current form whatever version wrote it. */
function currentRecord(placed: ConsumedRecord): EventRecord {
  const record = decodeRecord(placed);
  return record.kind === 'event' && record.version === '1'
    ? { ...record, value: rowFromJson(record.value) }
    : record;
}

function recordsOf(kind: RecordKind, groups: ReadonlyMap<string, RecordGroup>): EventRecord[] {
  return [...groups.values()].flat().flatMap(({ record }) => (record.kind === kind ? [record] : []));
}

function isNew(record: EventRecord, known: EventIdFilter): boolean {
  return record.kind === 'event' && (record.fresh || !known.mayContain(record.eventId));
}

function rowOf({ record, version }: ConsumedEventRecord): EventRow {
  return { bytes: record.value, version };
}

async function mergeGroups(groups: readonly RecordGroup[], deps: StoreReaderDeps): Promise<StateWrites[]> {
  if (groups.length === 0) return [];
  const states = await statesOf(groups, deps);
  const atHome = await withMovedSessions(deps.store, groups, states);
  return atHome.map((group) => foldRecords(states.get(group[0].key) ?? {}, group));
}

/** From memory where it is known there, the rest in one read. */
async function statesOf(
  groups: readonly RecordGroup[],
  deps: StoreReaderDeps,
): Promise<Map<string, EventState>> {
  const states = new Map<string, EventState>();
  const missing: EventKey[] = [];
  for (const [first] of groups) {
    const recent = deps.recent.get(first.key);
    if (recent) states.set(first.key, recent);
    else if (deps.known.mayContain(first.record.eventId))
      missing.push({ projectId: first.record.projectId, eventId: first.record.eventId });
  }
  if (missing.length > 0) for (const [key, state] of await deps.store.states(missing)) states.set(key, state);
  return states;
}

/**
 * The same records give the same token, unless they are merged into something else than before: an event that was moved in between is written at
 * its new place, in as many bytes. It holds the ids beside the places, so that a log that was made anew, and counts from
 * zero again, never meets a token of the old one.
 */
function tokenOf(batch: readonly ConsumedRecord[], merged: readonly StateWrites[]): string {
  const hash = createHash('sha256');
  hash.update(batch.map(({ key, partition, offset }) => `${partition}:${offset}:${key};`).join(''));
  for (const { row, tombstones } of merged) {
    if (row) hash.update(row.bytes);
    for (const { sessionId } of tombstones) hash.update(sessionId);
  }
  return hash.digest('hex');
}

/** The rows that the batch has written, and those that it found written already: its moves may not have been made then. */
function rowsAfter(fresh: readonly ConsumedEventRecord[], merged: readonly StateWrites[]): LocatedRow[] {
  return [
    ...fresh.map(locatedRowOfRecord),
    ...merged.flatMap(({ state }) => (state.event ? [locatedRowOfEvent(state.event)] : [])),
  ];
}

/** Rows that went with their events, and not because they lie elsewhere now. */
function goneRows({ state, tombstones }: StateWrites): readonly Tombstone[] {
  return state.event ? [] : tombstones;
}

function remember(
  fresh: readonly ConsumedEventRecord[],
  merged: readonly StateWrites[],
  moved: ReadonlySet<string>,
  deps: StoreReaderDeps,
): void {
  for (const { key, record, version } of fresh) deps.recent.setRow(key, record.value, version);
  for (const { key, state } of merged) deps.recent.setState(key, state);
  for (const key of moved) deps.recent.delete(key);
}
