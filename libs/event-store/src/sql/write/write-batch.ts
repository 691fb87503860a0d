import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type { StoreBatch } from '../../event-store.js';
import { ROW_LAYOUT } from '@assay/event-rows';
import { isBodyRefused } from '../engine/engine-failure.js';
import type { Insert, SqlEngine } from '../engine/engine.js';
import { changeLinesSteps, eventBytes, insertToken, narrowBytes, tailColumns } from './insert-bytes.js';
import type { TableNames } from '../schema/topology.js';

/**
 * Settings of every insert. One block, one token, no waiting room of the engine's own. Each partition of an
 * insert costs as much as a small insert; the tables have fewer partitions than the bound.
 */
const INSERT_SETTINGS = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  max_partitions_per_insert_block: 16,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  materialized_views_ignore_errors: 0,
  distributed_foreground_insert: 1,
};

/**
 * Writes the changes, then the rows and tombstones. In this order a crash in between is repaired by
 * delivering the batch again: the changes only say more than the rows do, and writing them again replaces
 * them. The other way round, a row could already hold an update that the changes do not know,
 * and a create that is delivered again would undo it.
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
  const { parts: rows, ...target } = rowsOf(tables, batch);
  if (rows.length > 0) {
    const settings = settingsOf(insertToken(batch, 'events', rows));
    await engine.insert({ ...target, format: 'RowBinary', parts: rows, settings });
  }
}

async function writeChanges(engine: SqlEngine, tables: TableNames, batch: StoreBatch): Promise<void> {
  const lines = await runCooperatively(changeLinesSteps(batch.changes), createYieldToEventLoop());
  const settings = settingsOf(insertToken(batch, 'changes', lines));
  await engine.insert({ table: tables.changes, format: 'JSONEachRow', parts: lines, settings });
}

/** Without a payload to write, an insert into the narrow table alone costs a third less than one through the views. */
function rowsOf(tables: TableNames, batch: StoreBatch): Pick<Insert, 'table' | 'columns' | 'parts'> {
  const narrow = narrowBytes(batch);
  if (narrow) return { table: tables.events, ...narrow };
  return {
    table: tables.ingest,
    columns: [...ROW_LAYOUT.columns, ...tailColumns(batch.rows)],
    parts: eventBytes(batch.rows, batch.tombstones),
  };
}

function settingsOf(token: string): Insert['settings'] {
  return { ...INSERT_SETTINGS, insert_deduplication_token: token };
}
