import { visible } from '../rows/visible.js';
import { ofSessions } from '../rows/of-sessions.js';
import type { RowLocation, IdPage, LocationPage } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface LocationRow {
  readonly event: string;
  readonly session: string;
  readonly start_time: number;
}

/** A page of the rows of sessions. */
export interface SessionScope {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
  readonly page: LocationPage;
}

/**
 * The locations of the visible rows of sessions, by event id; the limit never separates rows of one event.
 */
export async function readRowLocations(
  engine: QueryRunner,
  tables: TableNames,
  scope: SessionScope,
): Promise<RowLocation[]> {
  const rows = await engine.query<LocationRow>(locationsQuery(tables, scope));
  return rows.map((row) => ({
    projectId: scope.projectId,
    eventId: row.event,
    sessionId: row.session,
    startTime: row.start_time,
  }));
}

/** Ids of the events whose rows in sessions are closed by tombstones above all versions, by event id. */
export async function readRelocatedIds(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, sessionIds, page: { after, limit } }: Omit<SessionScope, 'page'> & { readonly page: IdPage },
): Promise<string[]> {
  const binder = new Binder();
  const where = [
    ofSessions(tables, { projectId, sessionIds }, binder),
    `is_deleted = 1 AND ver = ${Number.MAX_SAFE_INTEGER}`,
  ];
  if (after !== undefined) where.push(`event_id > ${binder.bind(after, 'UUID')}`);
  const sql =
    `SELECT toString(event_id) AS event FROM ${tables.events} WHERE ${where.join(' AND ')} ` +
    `GROUP BY event_id ORDER BY event_id LIMIT ${binder.bind(limit, 'UInt64')}`;
  const rows = await engine.query<{ readonly event: string }>({ sql, bindings: binder.bindings });
  return rows.map(({ event }) => event);
}

function locationsQuery(
  tables: TableNames,
  { projectId, sessionIds, page: { after, limit, parentIds } }: SessionScope,
): Query {
  const binder = new Binder();
  const where = [ofSessions(tables, { projectId, sessionIds }, binder)];
  if (after !== undefined) where.push(`event_id > ${binder.bind(after, 'UUID')}`);
  if (parentIds !== undefined) where.push(`parent_id IN ${binder.texts(parentIds)}`);
  const sql =
    `SELECT toString(event_id) AS event, toString(session_id) AS session, start_time FROM ${visible(tables.events)} ` +
    `WHERE ${where.join(' AND ')} ORDER BY event_id LIMIT ${binder.bind(limit, 'UInt64')} WITH TIES`;
  return { sql, bindings: binder.bindings };
}
