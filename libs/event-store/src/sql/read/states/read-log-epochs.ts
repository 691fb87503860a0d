import type { LogEpoch, PartitionPosition } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface PositionRow {
  readonly epoch: number;
  readonly log: string;
  readonly log_partition: number;
  readonly first: number;
  readonly position: number;
}

/** Returns the recorded epochs, lowest first, then by log. */
export async function readLogEpochs(runner: QueryRunner, tables: TableNames): Promise<readonly LogEpoch[]> {
  const rows = await runner.query<PositionRow>({
    sql:
      'SELECT epoch, log, log_partition, min(p.first_offset) AS first, max(p.position) AS position ' +
      `FROM ${tables.positions} AS p GROUP BY epoch, log, log_partition ORDER BY epoch, log, log_partition`,
    bindings: {},
  });
  const epochs: (LogEpoch & { readonly partitions: Map<number, PartitionPosition> })[] = [];
  for (const { epoch, log, log_partition, first, position } of rows) {
    const last = epochs.at(-1);
    const entry = last?.epoch === epoch && last.log === log ? last : { epoch, log, partitions: new Map() };
    if (entry !== last) epochs.push(entry);
    entry.partitions.set(log_partition, { first, position });
  }
  return epochs;
}
