import { createHash } from 'node:crypto';
import { changesEvents } from '@assay/contracts';
import {
  unguarded,
  type ConsumedRecord,
  type EventLog,
  type GuardedWork,
  type HandlingNotes,
  type RejectRecord,
} from '@assay/event-log';
import type { WriterPort, StatesPort, StoreBatch } from '@assay/event-store';
import { splitBySize } from '@assay/log-readers';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import { makeReconcile } from '../relocation/reconcile.js';
import { decodeConsumedRecord, isStoredAlready, type RecordGroup } from '../shared/consumed-event-record.js';
import type { EventStateCache } from '../shared/event-state-cache.js';
import type { LogVersions } from '../shared/log-versions.js';
import { applyRecords, type AppliedBatch, type StateWrites } from './apply-records.js';
import { makeDeleteSessions } from './delete-sessions.js';
import type { EventIdFilter } from './event-id-filter.js';
import { makeHandOverCallingEvents } from './hand-over-calling-events.js';
import { makeHandOverLogEvents } from './hand-over-log-events.js';
import { stateKeyOf } from './narrow-update.js';
import { storeEvaluations } from './store-evaluations.js';
import { classify, makeLoadBatch, type ClassifiedRecords, type LoadedBatch } from './load-batch.js';

export interface StoreBatchDeps {
  readonly store: { readonly writer: WriterPort; readonly states: StatesPort };
  /** Writes a batch; `store.writer.write` by default. */
  readonly write?: WriterPort['write'];
  /** The log that the batches are read from. */
  readonly log: Pick<EventLog, 'append'>;
  /** Ids of events that the store may hold. */
  readonly known: EventIdFilter;
  readonly recent: EventStateCache;
  readonly versions: LogVersions;
}

/** Error class of the dead letter of a record that would make its event larger than the limit. */
const EVENT_TOO_LARGE = 'EVENT_TOO_LARGE';

/**
 * Returns the handler of the `store` group, which writes one batch of the log to the event store in five
 * steps:
 *
 * 1. load: decode the records and look up the states that they change;
 * 2. apply: merge the records into these states, and hand over events that get another id: log events whose span
 *    has one of its own, and those of calling spans that share the id of a serving span;
 * 3. write: rows, tombstones and changes, under a token that makes a repeated write a no-op;
 * 4. reconcile: relocate rows whose session or parent has moved (see `../relocation`);
 * 5. delete: remove the rows of deleted sessions.
 *
 * A record that would make its event larger than 16 MiB is rejected before the others are written. A batch
 * whose stored states are too large to be loaded at a time goes through the steps in parts, each of which has
 * all records of its events. Evaluations change no event; they are written after the others.
 *
 * When it resolves, the batch is stored; handling it again changes nothing.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read, `UNAVAILABLE` when the store is
 * unreachable
 */
export function makeStoreBatch(deps: StoreBatchDeps) {
  const writeBatch = deps.write ?? ((batch: StoreBatch) => deps.store.writer.write(batch));
  const load = makeLoadBatch(deps);
  const handOverLogEvents = makeHandOverLogEvents(deps);
  const handOverCallingEvents = makeHandOverCallingEvents(deps);
  const reconcile = makeReconcile(deps);
  const deleteSessions = makeDeleteSessions(deps);

  async function storePart(part: ClassifiedRecords, { reject, guarded }: BatchTools): Promise<void> {
    const loaded = await load(part);
    const merged = await guarded((handling) => applyMarked(loaded, handling));
    const applied = await handOverLogEvents(merged);
    await handOverCallingEvents(applied);
    for (const { source } of applied.merged.flatMap(({ tooLarge }) => tooLarge))
      await reject(source, EVENT_TOO_LARGE);
    await writeBatch(batchOf(applied, tokenOf(part, applied.merged)));
    for (const { eventId } of loaded.records) deps.known.add(eventId);
    const affected = await reconcile(applied.written);
    const deleted = loaded.records.filter(({ kind }) => kind === 'delete');
    await deps.store.writer.removeEvaluations(deleted);
    await deleteSessions([...deleted, ...affected]);
  }

  const toLoad = (group: RecordGroup) => {
    const state = stateKeyOf(group);
    const isCached = deps.recent.has(group[0].key, state);
    return !isCached && deps.known.mayContain(state.eventId) ? state : undefined;
  };

  return async function storeBatch(
    batch: readonly ConsumedRecord[],
    reject: RejectRecord,
    guarded: GuardedWork = unguarded,
  ): Promise<void> {
    const notStored = batch.filter((consumed) => !isStoredAlready(consumed));
    const records = notStored.map((consumed) => decodeConsumedRecord(consumed, deps.versions));
    const evaluations = records.filter(({ record }) => record.kind === 'evaluation');
    const changes = records.filter(({ record }) => changesEvents(record.kind));
    const { created, toMerge } = await classify(changes, deps);
    const parts = await splitBySize(deps.store.states, { items: toMerge, toLoad });
    for (const [index, part] of parts.entries())
      await storePart({ created: index === 0 ? created : [], toMerge: part }, { reject, guarded });
    await storeEvaluations(deps.store, evaluations);
  };
}

/** Applies the records of a batch, each of which is marked before. */
function applyMarked(loaded: LoadedBatch, handling: HandlingNotes): Promise<AppliedBatch> {
  const yieldToEventLoop = createYieldToEventLoop();
  let next: ConsumedRecord | undefined;
  const applying = applyRecords(loaded, (record) => (next = record));
  return runCooperatively(applying, () => {
    const marked = next && handling.record(next);
    // Waiting for a mark does not always let other work run.
    return marked ? marked.then(yieldToEventLoop) : yieldToEventLoop();
  });
}

interface BatchTools {
  readonly reject: RejectRecord;
  readonly guarded: GuardedWork;
}

function batchOf({ created, merged }: AppliedBatch, token: string): StoreBatch {
  return {
    rows: [
      ...created.map(({ record, version }) => ({ bytes: record.value, version })),
      ...merged.flatMap(({ row }) => row ?? []),
    ],
    tombstones: merged.flatMap(({ tombstones }) => tombstones),
    changes: merged.flatMap(({ changes }) => changes ?? []),
    token,
  };
}

/**
 * Returns the same token for the same records, unless they are merged into something else than before: an
 * event that was relocated in between is written at its new location, in as many bytes. The token covers the
 * ids beside the offsets, so that a recreated log, whose offsets start at zero, never repeats a token of the
 * old one.
 */
function tokenOf({ created, toMerge }: ClassifiedRecords, merged: readonly StateWrites[]): string {
  const hash = createHash('sha256');
  const records = [...created, ...toMerge.flat()].map(({ source }) => source);
  hash.update(records.map(({ key, partition, offset }) => `${partition}:${offset}:${key};`).join(''));
  for (const { row, tombstones } of merged) {
    if (row) hash.update(row.bytes);
    for (const { sessionId } of tombstones) hash.update(sessionId);
  }
  return hash.digest('hex');
}
