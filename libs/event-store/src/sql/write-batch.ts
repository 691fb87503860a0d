import type { StoreBatch } from '../event-store.js';
import type { SqlEngine } from './engine.js';
import { changeLines, eventLines, insertToken } from './insert-lines.js';
import type { TableNames } from './topology.js';

/**
 * Settings of every insert. One block, one token, no waiting room of the engine's own; clients send any clock, so a batch may
 * touch every month there is.
 */
const INSERT_SETTINGS = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  max_partitions_per_insert_block: 0,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  materialized_views_ignore_errors: 0,
  distributed_foreground_insert: 1,
};

/**
 * Writes the changes, then the rows and tombstones. In this order a crash in between is repaired by delivering the batch again:
 * the changes only say more than the rows do, and writing them again replaces them by themselves. The other way round, a row
 * could already hold an update that the changes do not know, and a create that is delivered again would undo it.
 */
export async function writeBatch(engine: SqlEngine, tables: TableNames, batch: StoreBatch): Promise<void> {
  const changes = changeLines(batch.changes);
  const events = eventLines(batch.rows, batch.tombstones);
  if (changes.length > 0) await insert(engine, tables.changes, changes, insertToken(batch, 'changes', changes));
  if (events.length > 0) await insert(engine, tables.ingest, events, insertToken(batch, 'events', events));
}

async function insert(engine: SqlEngine, table: string, lines: Buffer, token: string): Promise<void> {
  await engine.insert({ table, lines, settings: { ...INSERT_SETTINGS, insert_deduplication_token: token } });
}
