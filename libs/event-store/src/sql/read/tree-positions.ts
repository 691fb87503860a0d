import type { TreePlace } from '@assay/domain';
import { Binder } from '../engine/binder.js';
import type { Query, SqlEngine } from '../engine/engine.js';
import { chunks } from './fetch-events.js';
import { isStoredId } from './read-states.js';
import type { TableNames } from '../schema/topology.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;
/** Children of one event that are told. */
const MAX_CHILDREN = 1_000;

interface PlaceRow {
  readonly event: string;
  readonly parent: string | null;
  readonly start_time: number;
}

/** The events directly below these events, in the sessions of those. */
export async function readChildren(
  engine: SqlEngine,
  tables: TableNames,
  projectId: string,
  parents: readonly { readonly event_id: string; readonly session_id: string }[],
): Promise<TreePlace[]> {
  const queries = chunks(parents, IDS_PER_QUERY).map((chunk) => {
    const binder = new Binder();
    const sessions = binder.bind(
      [...new Set(chunk.map((parent) => parent.session_id).filter(isStoredId))],
      'Array(UUID)',
    );
    const ids = binder.texts(chunk.map((parent) => parent.event_id));
    const where = `WHERE parent_id IN ${ids} ORDER BY start_time, event LIMIT ${MAX_CHILDREN} BY parent`;
    return placesQuery(tables, binder, projectId, `session_id IN ${sessions}`, where);
  });
  return readAll(engine, queries);
}

/** Where these events stand; those that are unknown are left out. */
export async function readPlacesOf(
  engine: SqlEngine,
  tables: TableNames,
  projectId: string,
  eventIds: readonly string[],
): Promise<TreePlace[]> {
  const queries = chunks(eventIds.filter(isStoredId), IDS_PER_QUERY).map((ids) => {
    const binder = new Binder();
    return placesQuery(tables, binder, projectId, `event_id IN ${binder.bind(ids, 'Array(UUID)')}`, '');
  });
  return readAll(engine, queries);
}

/** The condition is on the sort key, so it may stand before the versions of a row are told apart: all of them have the same key. */
function placesQuery(
  tables: TableNames,
  binder: Binder,
  projectId: string,
  onKey: string,
  rest: string,
): Query {
  const columns = 'toString(event_id) AS event, parent_id AS parent, start_time';
  const scope = `project_id = ${binder.text(projectId)} AND ${onKey}`;
  return {
    sql: `SELECT ${columns} FROM ${tables.events} FINAL PREWHERE ${scope} ${rest}`,
    bindings: binder.bindings,
  };
}

async function readAll(engine: SqlEngine, queries: readonly Query[]): Promise<TreePlace[]> {
  const rows = await Promise.all(queries.map((query) => engine.query<PlaceRow>(query)));
  return rows.flat().map((row) => ({ eventId: row.event, parentId: row.parent, startTime: row.start_time }));
}
