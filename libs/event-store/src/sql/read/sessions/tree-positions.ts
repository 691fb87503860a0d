import { visible } from '../rows/visible.js';
import type { TreePlace } from '@assay/domain';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { chunks } from '../rows/chunks.js';
import { ofEvents } from '../rows/of-events.js';
import { ofSessions } from '../rows/of-sessions.js';
import { isStoredId } from '../rows/stored-id.js';
import type { TableNames } from '../../schema/topology.js';

/** Ids of one statement: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
const IDS_PER_QUERY = 5_000;
/** Maximum number of children of one event. */
const MAX_CHILDREN = 1_000;

interface PositionRow {
  readonly event: string;
  readonly parent: string | null;
  readonly start_time: number;
}

/** The events directly below these events, in the sessions of those. */
export async function readChildren(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  parents: readonly { readonly event_id: string; readonly session_id: string }[],
): Promise<TreePlace[]> {
  const queries = chunks(parents, IDS_PER_QUERY).map((chunk) => {
    const binder = new Binder();
    const sessionIds = [...new Set(chunk.map((parent) => parent.session_id).filter(isStoredId))];
    const ids = binder.texts(chunk.map((parent) => parent.event_id));
    const where = `WHERE parent_id IN ${ids} ORDER BY start_time, event LIMIT ${MAX_CHILDREN} BY parent`;
    return positionsQuery(tables, binder, ofSessions(tables, { projectId, sessionIds }, binder), where);
  });
  return readAll(engine, queries);
}

/** Of each parent the first children by start, then by id, at most {@link MAX_CHILDREN} of them. */
export function firstChildren(positions: readonly TreePlace[]): TreePlace[] {
  const taken = new Map<string | null, number>();
  return positions.toSorted(byStart).filter(({ parentId }) => {
    const before = taken.get(parentId) ?? 0;
    taken.set(parentId, before + 1);
    return before < MAX_CHILDREN;
  });
}

function byStart(one: TreePlace, other: TreePlace): number {
  return one.startTime - other.startTime || (one.eventId < other.eventId ? -1 : 1);
}

/** The tree positions of these events; unknown ones are absent. */
export async function readTreePositions(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  eventIds: readonly string[],
): Promise<TreePlace[]> {
  const queries = chunks(eventIds.filter(isStoredId), IDS_PER_QUERY).map((ids) => {
    const binder = new Binder();
    return positionsQuery(tables, binder, ofEvents(tables, { projectId, eventIds: ids }, binder));
  });
  return readAll(engine, queries);
}

/**
 * The condition is on the sort key, which all versions of a row share, so that it can be a `PREWHERE`, before
 * `FINAL`.
 */
function positionsQuery(tables: TableNames, binder: Binder, onKey: string, rest = ''): Query {
  const columns = 'toString(event_id) AS event, parent_id AS parent, start_time';
  return {
    sql: `SELECT ${columns} FROM ${visible(tables.events)} PREWHERE ${onKey} ${rest}`,
    bindings: binder.bindings,
  };
}

async function readAll(engine: QueryRunner, queries: readonly Query[]): Promise<TreePlace[]> {
  const rows = await Promise.all(queries.map((query) => engine.query<PositionRow>(query)));
  return rows.flat().map((row) => ({ eventId: row.event, parentId: row.parent, startTime: row.start_time }));
}
