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

/** Rows to look for. */
export interface UnpairedScope {
  readonly limit: number;
  /** Hours of starts, Unix seconds. */
  readonly hours: readonly number[];
}

/**
 * Returns the hours, Unix seconds, in which the visible rows of both tables do not have the same keys. Costs less than half of comparing them,
 * and needs no memory for keys.
 */
export async function readUnequalHours(
  runner: QueryRunner,
  { events, payloads }: TableNames,
): Promise<number[]> {
  const digests = [events, payloads].map(
    (table) =>
      `SELECT toUnixTimestamp(start_hour) AS hour, sum(${KEY_HASH}) AS digest, count() AS keys FROM ${visible(table)} GROUP BY hour`,
  );
  const found = await runner.query<{ readonly hour: number }>({
    sql:
      `SELECT hour FROM (${digests.join(' UNION ALL ')}) GROUP BY hour ` +
      'HAVING count() != 2 OR min(digest) != max(digest) OR min(keys) != max(keys) ORDER BY hour',
    bindings: {},
  });
  return found.map(({ hour }) => hour);
}

/** Returns visible rows without a payload. */
export async function readRowsWithoutPayload(
  runner: QueryRunner,
  { events, payloads }: TableNames,
  { limit, hours }: UnpairedScope,
): Promise<Tombstone[]> {
  const within = inHours(hours);
  const found =
    `SELECT project_id, session_id, event_id, start_time AS start, ver FROM ${visible(events)} ` +
    `WHERE ${within} AND ${KEY_HASH} NOT IN (SELECT ${KEY_HASH} FROM ${visible(payloads)} WHERE ${within})`;
  return readTombstones(runner, found, limit);
}

function inHours(hours: readonly number[]): string {
  return `start_hour IN (${hours.map((hour) => `toDateTime(${hour}, 'UTC')`).join(', ')})`;
}

/**
 * Returns the tombstones of the narrow table that are not written to the other one, which has a payload there. A row that is visible at
 * the location was written after its tombstone, with the same version or a later one.
 */
export async function readUnwrittenTombstones(
  runner: QueryRunner,
  { events, payloads }: TableNames,
  { limit, hours }: UnpairedScope,
): Promise<Tombstone[]> {
  const key = 'project_id, start_hour, session_id, event_id';
  const within = inHours(hours);
  const withoutRow =
    `SELECT ${key}, ver FROM ${visible(payloads)} ` +
    `WHERE ${within} AND ${KEY_HASH} NOT IN (SELECT ${KEY_HASH} FROM ${visible(events)} WHERE ${within})`;
  // Only of those: an hour of one project can have any number of tombstones.
  const closed =
    `SELECT ${key}, argMax(start_time, ver) AS start, max(ver) AS closed FROM ${events} ` +
    `WHERE is_deleted = 1 AND ${within} AND ${KEY_HASH} IN (SELECT ${KEY_HASH} FROM (${withoutRow})) GROUP BY ${key}`;
  const found =
    `SELECT project_id, session_id, event_id, start, closed AS ver FROM (${withoutRow}) AS payloads ` +
    `GLOBAL INNER JOIN (${closed}) AS tombstones USING (${key}) WHERE payloads.ver <= closed`;
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
