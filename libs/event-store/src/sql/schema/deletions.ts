import type { Migration } from './migration.js';
import { DURABLE, tableSettings } from './table-engine.js';
import { distributed, onCluster, replicated, type Topology } from './topology.js';

const COLUMNS = `
  project_id LowCardinality(String),
  id String,
  is_open UInt8,
  content String,
  ver UInt64`;

/** Creates the table of deletions by filters: a document each, of which the row with the highest version counts. */
export function deletions(topology: Topology): Migration {
  const table = 'deletions';
  const engine = replicated(topology, table, 'ReplacingMergeTree', ['ver']);
  return {
    version: 11,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${topology.database}.${table}${onCluster(topology)} (${COLUMNS}\n)` +
        ` ENGINE = ${engine} ORDER BY (project_id, id) SETTINGS ${tableSettings(topology, DURABLE)}`,
      ...distributed(topology, table, 'id'),
    ],
  };
}
