import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  AdministrationPort,
  IncompleteRows,
  RepairReport,
  StatesPort,
  StoreBatch,
  Tombstone,
  WriterPort,
} from '../../event-store.js';
import { encodeEventRow } from '@assay/event-rows';

/** Rows of one step. */
const ROWS_PER_STEP = 5_000;
/** Steps of one repair. */
const MAX_STEPS = 200;

export interface RepairDeps {
  readonly incompleteRows: AdministrationPort['incompleteRows'];
  readonly states: StatesPort;
  readonly writer: WriterPort;
  /** How long a write of another process can take between the two tables, in milliseconds. */
  readonly settleMs: number;
}

/** What a repair changed, and whether its last comparison found a payload for every row. */
export interface RepairOutcome extends RepairReport {
  readonly hasAllPayloads: boolean;
}

/**
 * Completes rows whose payload is stored at another location of the event, and removes the others. Rows that are
 * incomplete only now belong to a write under way and stay.
 */
export async function repairRows({
  incompleteRows,
  states,
  writer,
  settleMs,
}: RepairDeps): Promise<RepairOutcome> {
  const report = { removed: 0, completed: 0, hasAllPayloads: false };
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = await persistentRows(incompleteRows, settleMs);
    report.hasAllPayloads = found.withoutPayload.length === 0;
    const batch = await repairBatch(states, found);
    if (batch.rows.length + batch.tombstones.length === 0) break;
    await writer.write(batch);
    report.removed += batch.tombstones.length;
    report.completed += batch.rows.length;
  }
  return report;
}

/**
 * Rows that are incomplete twice, `settleMs` apart: a write under way is complete by then. With 0, no write can be
 * under way and one look is enough.
 */
export async function persistentRows(
  find: AdministrationPort['incompleteRows'],
  settleMs: number,
  timer: { readonly ref: boolean } = { ref: true },
): Promise<IncompleteRows> {
  const first = await find(ROWS_PER_STEP);
  if (settleMs === 0 || first.withoutPayload.length + first.payloadOnly.length === 0) return first;
  await delay(settleMs, undefined, timer);
  const second = await find(ROWS_PER_STEP);
  return {
    withoutPayload: inBoth(first.withoutPayload, second.withoutPayload),
    payloadOnly: inBoth(first.payloadOnly, second.payloadOnly),
  };
}

async function repairBatch(
  stored: StatesPort,
  { withoutPayload, payloadOnly }: IncompleteRows,
): Promise<StoreBatch> {
  const states = await stored.read(withoutPayload);
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
