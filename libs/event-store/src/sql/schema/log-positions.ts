import type { Migration } from './migration.js';
import { tableSettings } from './table-engine.js';
import { distributed, onCluster, replicated, type Topology } from './topology.js';

const COLUMNS = `
  epoch UInt16,
  log String,
  log_partition UInt32,
  first_offset SimpleAggregateFunction(min, UInt64),
  position SimpleAggregateFunction(max, UInt64)`;

/**
 * Creates the table of the epochs of the log and of the positions up to which it is stored. Rows of one key are
 * merged into the lowest first offset and the highest position.
 */
export function logPositions(topology: Topology): Migration {
  const table = 'log_positions';
  const engine = replicated(topology, table, 'AggregatingMergeTree', []);
  const settings = tableSettings(topology, { fsync_after_insert: 1, fsync_part_directory: 1 });
  return {
    version: 5,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${topology.database}.${table}${onCluster(topology)} (${COLUMNS}\n)` +
        ` ENGINE = ${engine} ORDER BY (epoch, log, log_partition) SETTINGS ${settings}`,
      ...distributed(topology, table, 'log'),
    ],
  };
}
