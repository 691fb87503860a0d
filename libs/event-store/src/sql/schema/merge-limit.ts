import { literal, type SqlEngine } from '../engine/engine.js';
import { onCluster, type Topology } from './topology.js';

/**
 * Bytes on disk of the rows that one merge of the narrow table may take on a server. A merge keeps the text index of its rows in
 * memory: three to six times these bytes (ADR 057).
 */
export const MAX_MERGE_BYTES = 512 * 1024 ** 2;

const SETTING = 'max_bytes_to_merge_at_max_space_in_pool';

/** Statement that limits the merges of the narrow table to so many bytes on disk. */
export function limitMerges(topology: Topology, maxBytes: number): string {
  const { database } = topology;
  return `ALTER TABLE ${database}.events${onCluster(topology)} MODIFY SETTING ${SETTING} = ${maxBytes}`;
}

/** Whether the merges of the narrow table have this limit already. */
export async function hasMergeLimit(engine: SqlEngine, database: string, maxBytes: number): Promise<boolean> {
  const [table] = await engine.query<{ engine_full: string }>({
    sql: `SELECT engine_full FROM system.tables WHERE database = ${literal(database)} AND name = 'events'`,
    bindings: {},
  });
  return new RegExp(`\\b${SETTING} = ${maxBytes}\\b`).test(table?.engine_full ?? '');
}
