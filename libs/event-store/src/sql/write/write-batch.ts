import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type { StoreBatch } from '../../event-store.js';
import { isBodyRefused } from '../engine/engine-failure.js';
import type { Insert, SqlEngine } from '../engine/engine.js';
import { batchBytes, changeLinesSteps, insertToken, type BatchBytes, type RowBytes } from './insert-bytes.js';
import type { TableNames } from '../schema/topology.js';

/**
 * Settings of every insert. One block, one token, no waiting room of the engine's own. Each partition of an
 * insert costs as much as a small insert; the tables have fewer partitions than the bound.
 */
const INSERT_SETTINGS = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  max_partitions_per_insert_block: 16,
  distributed_foreground_insert: 1,
};

/**
 * Writes the changes, the payloads, the keys by event id, the narrow rows with the tombstones, and last the tombstones of payloads. The
 * narrow row is the commit: readers find an event by it, and its payload and its key are there by then and as long as it is. A crash in
 * between is repaired by delivering the batch again. The changes only say more than the rows do, and writing them again replaces them;
 * after the rows, a row could already hold an update that the changes do not know, and a create that is delivered again would undo it.
 */
export async function writeBatch(engine: SqlEngine, tables: TableNames, batch: StoreBatch): Promise<void> {
  try {
    await writeWhole(engine, tables, batch);
  } catch (error) {
    const parts = isBodyRefused(error) ? partsOf(batch) : [];
    if (parts.length === 0) throw error;
    for (const part of parts) await writeBatch(engine, tables, part);
  }
}

/** Parts of a batch that is too large for a proxy, in the order in which they are written; none of what cannot be divided. */
function partsOf(batch: StoreBatch): StoreBatch[] {
  const part = (fields: Partial<StoreBatch>): StoreBatch => ({
    ...{ rows: [], tombstones: [], changes: [], token: batch.token },
    ...fields,
  });
  const { changes, rows, tombstones } = batch;
  const kinds = [changes, rows, tombstones].filter(({ length }) => length > 0);
  if (kinds.length > 1)
    return [part({ changes }), part({ rows }), part({ tombstones })].filter(
      (one) => one.changes.length + one.rows.length + one.tombstones.length > 0,
    );
  const halves = <T>(items: readonly T[]): (readonly T[])[] => {
    const middle = Math.ceil(items.length / 2);
    return items.length > 1 ? [items.slice(0, middle), items.slice(middle)] : [];
  };
  return [
    ...halves(changes).map((half) => part({ changes: half })),
    ...halves(rows).map((half) => part({ rows: half })),
    ...halves(tombstones).map((half) => part({ tombstones: half })),
  ];
}

/** A batch without changes is in progress when this returns, so that closing the engine waits for it. */
async function writeWhole(engine: SqlEngine, tables: TableNames, batch: StoreBatch): Promise<void> {
  if (batch.changes.length > 0) await writeChanges(engine, tables, batch);
  const { payloads, ids, narrow, removed } = batchBytes(batch);
  const insert = async (part: keyof BatchBytes, table: string, { columns, parts }: RowBytes) => {
    if (parts.length === 0) return;
    const settings = settingsOf(insertToken(batch, part, parts));
    await engine.insert({ table, columns, format: 'RowBinary', parts, settings });
  };
  await insert('payloads', tables.payloads, payloads);
  await insert('ids', tables.ids, ids);
  await insert('narrow', tables.events, narrow);
  await insert('removed', tables.payloads, removed);
}

async function writeChanges(engine: SqlEngine, tables: TableNames, batch: StoreBatch): Promise<void> {
  const lines = await runCooperatively(changeLinesSteps(batch.changes), createYieldToEventLoop());
  const settings = settingsOf(insertToken(batch, 'changes', lines));
  await engine.insert({ table: tables.changes, format: 'JSONEachRow', parts: lines, settings });
}

function settingsOf(token: string): Insert['settings'] {
  return { ...INSERT_SETTINGS, insert_deduplication_token: token };
}
