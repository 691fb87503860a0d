import type { LogEpoch } from '../../event-store.js';
import type { SqlEngine } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';

/** Writes one row per partition. The engine merges it with those that are stored. */
export async function writeLogEpoch(engine: SqlEngine, tables: TableNames, entry: LogEpoch): Promise<void> {
  const { epoch, log, partitions } = entry;
  if (partitions.size === 0) return;
  const rows = [...partitions].map(
    ([log_partition, { first: first_offset, position }]) =>
      `${JSON.stringify({ epoch, log, log_partition, first_offset, position })}\n`,
  );
  await engine.insert({
    table: tables.positions,
    format: 'JSONEachRow',
    parts: [Buffer.from(rows.join(''))],
    settings: { async_insert: 0, distributed_foreground_insert: 1 },
  });
}
