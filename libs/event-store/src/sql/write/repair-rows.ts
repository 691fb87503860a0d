import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, IncompleteRows, RepairReport, StoreBatch, Tombstone } from '../../event-store.js';
import { encodeEventRow } from '../../rows/index.js';

/** Rows of one step. */
const ROWS_PER_STEP = 5_000;
/** Steps of one repair. */
const MAX_STEPS = 200;

export interface RepairDeps {
  readonly store: Pick<EventStore, 'incompleteRows' | 'states' | 'write'>;
  /** How long a write of another process can take between the two tables, in milliseconds. */
  readonly settleMs: number;
}

/**
 * Completes rows whose payload is stored at another location of the event, and removes the others. Rows that are
 * incomplete only now belong to a write under way and stay.
 */
export async function repairRows({ store, settleMs }: RepairDeps): Promise<RepairReport> {
  const report = { removed: 0, completed: 0 };
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = await persistentRows(store, settleMs);
    const batch = await repairBatch(store, found);
    if (batch.rows.length + batch.tombstones.length === 0) break;
    await store.write(batch);
    report.removed += batch.tombstones.length;
    report.completed += batch.rows.length;
    if (found.withoutPayload.length + found.payloadOnly.length < ROWS_PER_STEP) break;
  }
  return report;
}

async function persistentRows(store: RepairDeps['store'], settleMs: number): Promise<IncompleteRows> {
  const first = await store.incompleteRows(ROWS_PER_STEP);
  if (settleMs === 0 || first.withoutPayload.length + first.payloadOnly.length === 0) return first;
  await delay(settleMs);
  const second = await store.incompleteRows(ROWS_PER_STEP);
  return {
    withoutPayload: inBoth(first.withoutPayload, second.withoutPayload),
    payloadOnly: inBoth(first.payloadOnly, second.payloadOnly),
  };
}

async function repairBatch(
  store: RepairDeps['store'],
  { withoutPayload, payloadOnly }: IncompleteRows,
): Promise<StoreBatch> {
  const states = await store.states(withoutPayload);
  const half = new Set(withoutPayload.map(eventKeyOf));
  const rows = new Map<string, StoreBatch['rows'][number]>();
  const tombstones: Tombstone[] = [];
  for (const row of withoutPayload) {
    const state = states.get(eventKeyOf(row));
    const isCompletable =
      state?.event?.session_id === row.sessionId && state.event.start_time === row.startTime;
    if (isCompletable) rows.set(eventKeyOf(row), { bytes: encode(state.event), version: row.version });
    else tombstones.push(row);
  }
  // The payload of an event without one may be at another location.
  tombstones.push(...payloadOnly.filter((row) => !half.has(eventKeyOf(row))));
  return { rows: [...rows.values()], tombstones, changes: [], token: randomUUID() };
}

function encode({ version: _version, ...event }: Parameters<typeof encodeEventRow>[0] & { version: number }) {
  // The encoder reuses its memory.
  return Buffer.from(encodeEventRow(event));
}

function inBoth(first: readonly Tombstone[], second: readonly Tombstone[]): Tombstone[] {
  const seen = new Set(first.map(rowKeyOf));
  return second.filter((row) => seen.has(rowKeyOf(row)));
}

function eventKeyOf({ projectId, eventId }: Tombstone): string {
  return `${projectId}/${eventId}`;
}

function rowKeyOf(row: Tombstone): string {
  return `${eventKeyOf(row)}/${row.sessionId}/${row.startTime}/${row.version}`;
}
