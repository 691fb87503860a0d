import { visible } from '../rows/visible.js';
import type { Tombstone } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface LocatedRow {
  readonly project_id: string;
  readonly event: string;
  readonly session: string;
  readonly start: number;
  readonly version: number;
}

/** A hash of the sort key: the set of all of them takes an eighth of the memory of the keys. */
const KEY_HASH = 'cityHash64(project_id, start_hour, session_id, event_id)';

/** Whether as many rows are visible in both tables, with the same keys. Costs less than half of comparing them. */
export async function haveSameKeys(runner: QueryRunner, { events, payloads }: TableNames): Promise<boolean> {
  const [narrow, wide] = await Promise.all([readDigest(runner, events), readDigest(runner, payloads)]);
  return narrow === wide;
}

/** Returns visible rows without a payload. */
export async function readRowsWithoutPayload(
  runner: QueryRunner,
  { events, payloads }: TableNames,
  limit: number,
): Promise<Tombstone[]> {
  const found =
    `SELECT project_id, session_id, event_id, start_time AS start, ver FROM ${visible(events)} ` +
    `WHERE ${KEY_HASH} NOT IN (SELECT ${KEY_HASH} FROM ${visible(payloads)})`;
  return readTombstones(runner, found, limit);
}

/**
 * Returns the tombstones of the narrow table that are not written to the other one, which has a payload there. A row that is visible at
 * the location was written after its tombstone, with the same version or a later one.
 */
export async function readUnwrittenTombstones(
  runner: QueryRunner,
  { events, payloads }: TableNames,
  limit: number,
): Promise<Tombstone[]> {
  const key = 'project_id, start_hour, session_id, event_id';
  const visibleRows =
    `SELECT ${key} FROM ${visible(events)} ` +
    `WHERE (${key}) IN (SELECT ${key} FROM ${events} WHERE is_deleted = 1)`;
  const closed = `SELECT ${key}, argMax(start_time, ver) AS start, max(ver) AS closed FROM ${events} WHERE is_deleted = 1 GROUP BY ${key}`;
  const found =
    `SELECT project_id, session_id, event_id, start, closed AS ver FROM (SELECT ${key}, ver FROM ${visible(payloads)}) AS payloads ` +
    `GLOBAL INNER JOIN (${closed}) AS tombstones USING (${key}) ` +
    `WHERE payloads.ver <= closed AND (${key}) NOT IN (${visibleRows})`;
  return readTombstones(runner, found, limit);
}

async function readTombstones(runner: QueryRunner, found: string, limit: number): Promise<Tombstone[]> {
  const sql =
    'SELECT project_id, toString(event_id) AS event, toString(session_id) AS session, start, toUInt64(ver) AS version ' +
    `FROM (${found}) LIMIT {p0:UInt64}`;
  const rows = await runner.query<LocatedRow>({ sql, bindings: { p0: limit } });
  return rows.map((row) => ({
    projectId: row.project_id,
    eventId: row.event,
    sessionId: row.session,
    startTime: row.start,
    version: row.version,
  }));
}

async function readDigest(runner: QueryRunner, table: string): Promise<string> {
  const [row] = await runner.query<{ digest: string }>({
    sql: `SELECT concat(toString(sum(${KEY_HASH})), '/', toString(count())) AS digest FROM ${visible(table)}`,
    bindings: {},
  });
  return row?.digest ?? '';
}
