import type { RowLocation, ChangeFlags, LocationPage } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import { HAS_FLAGS } from '../schema/columns.js';
import type { Query, SqlEngine } from '../engine/engine.js';
import { chunks } from './fetch-events.js';
import { byProject } from './read-states.js';
import type { TableNames } from '../schema/topology.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

interface PlaceRow {
  readonly event: string;
  readonly session: string;
  readonly start_time: number;
}

interface MarkRow {
  readonly event: string;
  readonly is_deleted: number;
  /** Empty: not moved. */
  readonly target: string;
}

/** Where the visible rows of sessions lie, by event id; rows of one event are never torn apart by the limit. */
export async function readPlaces(
  engine: SqlEngine,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
  page: LocationPage,
): Promise<RowLocation[]> {
  const rows = await engine.query<PlaceRow>(placesQuery(tables, projectId, sessionIds, page));
  return rows.map((row) => ({
    projectId,
    eventId: row.event,
    sessionId: row.session,
    startTime: row.start_time,
  }));
}

/** Deleted stays deleted, and the first move counts, so any version of the changes that says so will do. */
export async function readMarks(
  engine: SqlEngine,
  tables: TableNames,
  keys: Parameters<typeof byProject>[0],
): Promise<Map<string, ChangeFlags>> {
  const marks = new Map<string, ChangeFlags>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], IDS_PER_QUERY)) {
      for (const row of await engine.query<MarkRow>(marksQuery(tables, projectId, ids)))
        marks.set(`${projectId}/${row.event}`, readMark(row));
    }
  }
  return marks;
}

function readMark(row: MarkRow): ChangeFlags {
  return { deleted: row.is_deleted === 1, ...(row.target === '' ? {} : { movedTo: row.target }) };
}

function placesQuery(
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
  { after, limit, parentIds }: LocationPage,
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

function marksQuery(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  const where = `project_id = ${binder.text(projectId)} AND event_id IN ${ids} AND ${HAS_FLAGS} = 1`;
  const columns = 'toString(event_id) AS event, max(deleted) AS is_deleted, max(moved_to) AS target';
  return {
    sql: `SELECT ${columns} FROM ${tables.changes} WHERE ${where} GROUP BY event_id`,
    bindings: binder.bindings,
  };
}
