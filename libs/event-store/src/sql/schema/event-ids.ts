import { literal, type SqlEngine } from '../engine/engine.js';
import type { Migration } from './migration.js';
import { DURABLE, FEWER_MERGES, tableSettings } from './table-engine.js';
import { distributed, onCluster, replicated, tableNames, type Topology } from './topology.js';
import { createView } from './views.js';

/** Random ids cannot be compressed. The id alone is the primary key: comparing the project with it would double the work of a look-up. */
const COLUMNS = `
  event_id UUID CODEC(NONE),
  session_id UUID CODEC(NONE),
  start_hour DateTime('UTC'),
  project_id LowCardinality(String)`;

const KEY = 'event_id, session_id, start_hour, project_id';

/** Small blocks: a look-up reads one of them for each id. Merges are as many as usual, because it looks into each part. */
const SMALL_BLOCKS = {
  min_bytes_for_wide_part: FEWER_MERGES.min_bytes_for_wide_part,
  index_granularity: 256,
  min_compress_block_size: 4096,
  max_compress_block_size: 16384,
} as const;

/**
 * Creates the table of the keys of narrow rows by event id, in place of the index of ids, and fills it. Each hour of a session is there, too,
 * under the id of the session, as if it were an event of its own. Its view takes the rows of
 * processes of the release before, which insert into the ingest table. It is sharded as the rows are, by session.
 */
export function eventIds(topology: Topology): Migration {
  const { database } = topology;
  const table = 'event_ids';
  const engine = replicated(topology, table, 'ReplacingMergeTree', []);
  const settings = tableSettings(topology, { ...SMALL_BLOCKS, ...DURABLE });
  return {
    version: 14,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${database}.${table}${onCluster(topology)} (${COLUMNS}\n)` +
        ` ENGINE = ${engine} PRIMARY KEY event_id ORDER BY (${KEY}) SETTINGS ${settings}`,
      ...distributed(topology, table, 'session_id'),
      createView(topology, {
        name: `${database}.${table}_view`,
        target: `${database}.${table}`,
        select: `SELECT arrayJoin([event_id, session_id]) AS event_id, session_id, start_hour, project_id FROM ${database}.events_ingest`,
      }),
      `ALTER TABLE ${database}.events${onCluster(topology)} DROP INDEX IF EXISTS ix_event`,
    ],
    convert: (sql) => addIds(sql, topology),
  };
}

/** Adds the keys of all rows, month by month: a bound on the time of a statement. Adding them again changes nothing. */
async function addIds(engine: SqlEngine, topology: Topology): Promise<void> {
  const { events } = tableNames(topology);
  const months = await engine.query<{ readonly month: number }>({
    sql: `SELECT DISTINCT toYYYYMM(start_hour) AS month FROM ${events} ORDER BY month`,
    bindings: {},
  });
  for (const { month } of months)
    await engine.command(copyIds(topology, `toYYYYMM(start_hour) = ${literal(month)}`));
}

/**
 * Statement that adds the keys of rows, and the hours of their sessions; adding them again changes nothing. The rows are sorted by hour and
 * session, so that the hours of sessions are grouped without memory for all of them.
 */
export function copyIds(topology: Topology, where: string): string {
  const { events, ids } = tableNames(topology);
  return (
    `INSERT INTO ${ids} (${KEY}) SELECT ${KEY} FROM ${events} WHERE ${where} UNION ALL ` +
    `SELECT session_id, s, start_hour, project_id FROM (SELECT session_id, session_id AS s, start_hour, project_id FROM ${events} ` +
    `WHERE ${where} GROUP BY project_id, start_hour, session_id) ` +
    'SETTINGS distributed_foreground_insert = 1, optimize_aggregation_in_order = 1'
  );
}
