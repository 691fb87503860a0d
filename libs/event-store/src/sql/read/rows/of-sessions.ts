import type { Binder } from '../../engine/binder.js';
import type { TableNames } from '../../schema/topology.js';

/** Sessions of one project, by their ids. */
export interface SessionsOfProject {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
}

/** From more sessions on, reading the sessions of whole hours costs less than planning a look-up in each hour. */
const MAX_SESSIONS = 20;

/**
 * Condition on the rows of sessions in all their versions, for any table with the sort key of rows. The table of ids has the hours of each
 * session, under its id. So the work grows at most with what is stored of these hours, and not with what the project has stored. For
 * `PREWHERE`: all versions of a row share its key. `identity` keeps the index of sessions out, where reading it costs more than the column.
 */
export function ofSessions(
  tables: TableNames,
  { projectId, sessionIds }: SessionsOfProject,
  binder: Binder,
): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const ids = binder.bind(sessionIds, 'Array(UUID)');
  const found = (columns: string) =>
    `SELECT ${columns} FROM ${tables.ids} PREWHERE event_id IN ${ids} WHERE ${project} AND session_id = event_id`;
  if (sessionIds.length > MAX_SESSIONS)
    return `${project} AND start_hour IN (${found('DISTINCT start_hour')}) AND identity(session_id IN ${ids})`;
  const key = 'start_hour, session_id';
  return `${project} AND (${key}) IN (${found(key)})`;
}

/** Condition on the rows of events and on those of sessions, as {@link ofSessions}. */
export function ofEventsAndSessions(
  tables: TableNames,
  { projectId, eventIds, sessionIds }: SessionsOfProject & { readonly eventIds: readonly string[] },
  binder: Binder,
): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const [events, sessions] = [eventIds, sessionIds].map((ids) => binder.bind(ids, 'Array(UUID)'));
  const hours = `SELECT DISTINCT start_hour FROM ${tables.ids} PREWHERE event_id IN ${events} OR event_id IN ${sessions} WHERE ${project}`;
  return `${project} AND start_hour IN (${hours}) AND (event_id IN ${events} OR session_id IN ${sessions})`;
}
