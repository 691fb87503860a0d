import type { RowLocation, ChangeFlags, IdPage, LocationPage } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import { HAS_FLAGS } from '../schema/columns.js';
import type { Query, QueryRunner } from '../engine/engine.js';
import { chunks } from './chunks.js';
import { byProject } from './read-states.js';
import type { TableNames } from '../schema/topology.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

interface LocationRow {
  readonly event: string;
  readonly session: string;
  readonly start_time: number;
}

interface FlagsRow {
  readonly event: string;
  readonly is_deleted: number;
  /** Empty: not moved. */
  readonly target: string;
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
    `project_id = ${binder.text(projectId)}`,
    `session_id IN ${binder.bind(sessionIds, 'Array(UUID)')}`,
    `is_deleted = 1 AND ver = ${Number.MAX_SAFE_INTEGER}`,
  ];
  if (after !== undefined) where.push(`event_id > ${binder.bind(after, 'UUID')}`);
  const sql =
    `SELECT toString(event_id) AS event FROM ${tables.events} WHERE ${where.join(' AND ')} ` +
    `GROUP BY event_id ORDER BY event_id LIMIT ${binder.bind(limit, 'UInt64')}`;
  const rows = await engine.query<{ readonly event: string }>({ sql, bindings: binder.bindings });
  return rows.map(({ event }) => event);
}

/** Deleted stays deleted, and the first move counts, so any version of the changes that says so will do. */
export async function readChangeFlags(
  engine: QueryRunner,
  tables: TableNames,
  keys: Parameters<typeof byProject>[0],
): Promise<Map<string, ChangeFlags>> {
  const flags = new Map<string, ChangeFlags>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], IDS_PER_QUERY)) {
      for (const row of await engine.query<FlagsRow>(flagsQuery(tables, projectId, ids)))
        flags.set(`${projectId}/${row.event}`, toChangeFlags(row));
    }
  }
  return flags;
}

function toChangeFlags(row: FlagsRow): ChangeFlags {
  return { deleted: row.is_deleted === 1, ...(row.target === '' ? {} : { movedTo: row.target }) };
}

function locationsQuery(
  tables: TableNames,
  { projectId, sessionIds, page: { after, limit, parentIds } }: SessionScope,
): Query {
  const binder = new Binder();
  const where = [
    `project_id = ${binder.text(projectId)}`,
    `session_id IN ${binder.bind(sessionIds, 'Array(UUID)')}`,
  ];
  if (after !== undefined) where.push(`event_id > ${binder.bind(after, 'UUID')}`);
  if (parentIds !== undefined) where.push(`parent_id IN ${binder.texts(parentIds)}`);
  const sql =
    `SELECT toString(event_id) AS event, toString(session_id) AS session, start_time FROM ${tables.events} FINAL ` +
    `WHERE ${where.join(' AND ')} ORDER BY event_id LIMIT ${binder.bind(limit, 'UInt64')} WITH TIES`;
  return { sql, bindings: binder.bindings };
}

function flagsQuery(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  const where = `project_id = ${binder.text(projectId)} AND event_id IN ${ids} AND ${HAS_FLAGS} = 1`;
  const columns = 'toString(event_id) AS event, max(deleted) AS is_deleted, max(moved_to) AS target';
  return {
    sql: `SELECT ${columns} FROM ${tables.changes} WHERE ${where} GROUP BY event_id`,
    bindings: binder.bindings,
  };
}
