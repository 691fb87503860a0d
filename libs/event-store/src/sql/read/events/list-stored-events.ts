import type { StoredQuery, UnreadEvent } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface StoredRow {
  readonly event: string;
  readonly session: string;
  readonly hour: number;
  readonly bytes: number;
}

const KEY = 'start_hour, session_id, event_id';

/**
 * Lists the rows that were stored in a range of time and not removed in it. Reads all versions that were, since the newest one of a row may
 * be later: an index by that time then skips most of the table, and rows are read in the order of the sort key up to the end of the page.
 */
export async function listStoredEvents(
  engine: QueryRunner,
  { events }: TableNames,
  projectId: string,
  { from, to, after, limit }: StoredQuery,
): Promise<UnreadEvent[]> {
  const binder = new Binder();
  const time = (seconds: number) => `toDateTime(${binder.bind(String(seconds), 'UInt64')}, 'UTC')`;
  const conditions = [
    `project_id = ${binder.text(projectId)}`,
    `stored_at >= ${time(from)} AND stored_at < ${time(to)}`,
  ];
  if (after !== undefined) {
    const ids = [after.sessionId, after.eventId].map((id) => binder.bind(id, 'UUID'));
    conditions.push(`start_hour >= ${time(after.startHour)}`);
    conditions.push(`(${KEY}) > (${[time(after.startHour), ...ids].join(', ')})`);
  }
  const columns = `${KEY}, payload_bytes, is_deleted`;
  const newest = `SELECT ${columns} FROM ${events} WHERE ${conditions.join(' AND ')} ORDER BY ${KEY}, ver DESC LIMIT 1 BY ${KEY}`;
  const sql =
    'SELECT toString(event_id) AS event, toString(session_id) AS session, toUnixTimestamp(start_hour) AS hour, payload_bytes AS bytes ' +
    `FROM (${newest}) WHERE is_deleted = 0 LIMIT ${binder.bind(String(limit), 'UInt64')}`;
  const rows = await engine.query<StoredRow>({ sql, bindings: binder.bindings });
  return rows.map(({ event, session, hour, bytes }) => ({
    ...{ eventId: event, sessionId: session, startHour: hour, payloadBytes: bytes },
  }));
}
