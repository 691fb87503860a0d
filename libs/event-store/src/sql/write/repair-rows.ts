import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RepairReport, StatesPort, StoreBatch, Tombstone, WriterPort } from '../../event-store.js';
import { encodeEventRow } from '@assay/event-rows';

/** Rows of one step. */
const ROWS_PER_STEP = 5_000;
/** Steps of one repair of some hours. */
const MAX_STEPS = 200;
/** Hours whose keys are compared together, in memory. Most have the same ones in both tables. */
const HOURS_PER_STEP = 4;

/** Rows to look for. */
export interface RepairScope {
  readonly limit: number;
  /** Hours of starts, Unix seconds. */
  readonly hours: readonly number[];
}

/** Finds rows of one table that do not fit the other one, as the tombstones that remove them. */
export interface UnpairedRows {
  /** Hours of starts, Unix seconds, in which both tables have other visible keys. */
  hours(): Promise<readonly number[]>;
  withoutPayload(scope: RepairScope): Promise<readonly Tombstone[]>;
  /** Those that the payload table lacks. */
  tombstones(scope: RepairScope): Promise<readonly Tombstone[]>;
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
export async function repairRows(deps: RepairDeps): Promise<RepairReport> {
  const report = { removed: 0, completed: 0 };
  const hours = await deps.unpaired.hours();
  for (let first = 0; first < hours.length; first += HOURS_PER_STEP) {
    const { removed, completed } = await repairHours(deps, hours.slice(first, first + HOURS_PER_STEP));
    report.removed += removed;
    report.completed += completed;
  }
  return report;
}

async function repairHours(
  { unpaired, states, writer, settleMs }: RepairDeps,
  hours: readonly number[],
): Promise<RepairReport> {
  const scope = { limit: ROWS_PER_STEP, hours };
  const report = { removed: 0, completed: 0 };
  for (let step = 0; step < MAX_STEPS; step++) {
    const find = () => unpaired.withoutPayload(scope);
    const batch = await repairBatch(states, await persistentRows(find, settleMs));
    const tombstones = [...batch.tombstones, ...(await unpaired.tombstones(scope))];
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
async function persistentRows(
  find: () => Promise<readonly Tombstone[]>,
  settleMs: number,
): Promise<readonly Tombstone[]> {
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
