import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RepairReport, StatesPort, StoreBatch, Tombstone, WriterPort } from '../../event-store.js';
import { encodeEventRow } from '@assay/event-rows';

/** Rows of one step. */
const ROWS_PER_STEP = 5_000;
/** Steps of one repair. */
const MAX_STEPS = 200;

/** Finds rows of one table that do not fit the other one, as the tombstones that remove them. */
export interface UnpairedRows {
  /** Whether both tables have the same visible keys. */
  areNone(): Promise<boolean>;
  withoutPayload(limit: number): Promise<readonly Tombstone[]>;
  /** Those that the payload table lacks. */
  tombstones(limit: number): Promise<readonly Tombstone[]>;
}

export interface RepairDeps {
  readonly unpaired: UnpairedRows;
  readonly states: StatesPort;
  readonly writer: WriterPort;
  /** How long a write of another process can take between the two tables, in milliseconds. */
  readonly settleMs: number;
}

/**
 * Writes the tombstones that a killed process did not write to the payload table, and completes or removes rows without a payload,
 * which only processes of releases before left behind: they wrote both in one insert. Those whose payload is stored at another location
 * of the event are completed. Rows that lack it only now belong to a write under way and stay. Payloads without a row stay too: the row
 * of one may be the next that is written; the purge of deleted values removes those of deleted events.
 */
export async function repairRows({ unpaired, states, writer, settleMs }: RepairDeps): Promise<RepairReport> {
  const report = { removed: 0, completed: 0 };
  if (await unpaired.areNone()) return report;
  for (let step = 0; step < MAX_STEPS; step++) {
    const batch = await repairBatch(states, await persistentRows(unpaired, settleMs));
    const tombstones = [...batch.tombstones, ...(await unpaired.tombstones(ROWS_PER_STEP))];
    if (batch.rows.length + tombstones.length === 0) break;
    await writer.write({ ...batch, tombstones });
    report.removed += tombstones.length;
    report.completed += batch.rows.length;
  }
  return report;
}

/**
 * Rows that lack their payload twice, `settleMs` apart: a write under way is complete by then. With 0, no write can be
 * under way and one look is enough.
 */
async function persistentRows(unpaired: UnpairedRows, settleMs: number): Promise<readonly Tombstone[]> {
  const find = () => unpaired.withoutPayload(ROWS_PER_STEP);
  const first = await find();
  if (settleMs === 0 || first.length === 0) return first;
  await delay(settleMs);
  const seen = new Set(first.map(rowKeyOf));
  return (await find()).filter((row) => seen.has(rowKeyOf(row)));
}

async function repairBatch(stored: StatesPort, found: readonly Tombstone[]): Promise<StoreBatch> {
  const states = await stored.read(found);
  const rows = new Map<string, StoreBatch['rows'][number]>();
  const tombstones: Tombstone[] = [];
  for (const row of found) {
    const state = states.get(eventKeyOf(row));
    const isCompletable =
      state?.event?.session_id === row.sessionId && state.event.start_time === row.startTime;
    if (isCompletable) rows.set(eventKeyOf(row), { bytes: encode(state.event), version: row.version });
    else tombstones.push(row);
  }
  return { rows: [...rows.values()], tombstones, changes: [], token: randomUUID() };
}

function encode({ version: _version, ...event }: Parameters<typeof encodeEventRow>[0] & { version: number }) {
  // The encoder reuses its memory.
  return Buffer.from(encodeEventRow(event));
}

function eventKeyOf({ projectId, eventId }: Tombstone): string {
  return `${projectId}/${eventId}`;
}

function rowKeyOf(row: Tombstone): string {
  return `${eventKeyOf(row)}/${row.sessionId}/${row.startTime}/${row.version}`;
}
