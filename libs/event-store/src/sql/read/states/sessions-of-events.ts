import type { EventKey } from '../../../event-store.js';
import type { QueryRunner, Query } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { ofEvents } from '../rows/of-events.js';
import { byProject } from '../rows/keys-by-project.js';
import { Binder } from '../../engine/binder.js';

/** Ids of one statement. */
const EVENTS_PER_QUERY = 1_000;

interface SessionsRow {
  readonly event: string;
  readonly sessions: readonly string[];
}

/** Returns every session that has or had a row of the events, by `projectId/eventId`. */
export async function readSessionsOfEvents(
  engine: QueryRunner,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], EVENTS_PER_QUERY)) {
      const rows = await engine.query<SessionsRow>(sessionsOfEventsQuery(tables, projectId, ids));
      for (const { event, sessions } of rows) found.set(`${projectId}/${event}`, sessions);
    }
  }
  return found;
}

/** Selects every session that has or had a row of these events. */
function sessionsOfEventsQuery(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const onKey = ofEvents(tables, { projectId, eventIds }, binder);
  const columns = 'toString(event_id) AS event, groupUniqArray(toString(session_id)) AS sessions';
  return {
    sql: `SELECT ${columns} FROM ${tables.events} PREWHERE ${onKey} GROUP BY event_id`,
    bindings: binder.bindings,
  };
}
