import type { Binder } from '../../engine/binder.js';
import type { TableNames } from '../../schema/topology.js';

/** Sessions of one project, by their ids. */
export interface SessionsOfProject {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
}

/**
 * Condition on the rows of sessions in all their versions, as `ofEvents`. The table of ids has the hours of each session under the id of the
 * session.
 */
export function ofSessions(
  tables: TableNames,
  { projectId, sessionIds }: SessionsOfProject,
  binder: Binder,
): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const named = `event_id IN ${binder.bind(sessionIds, 'Array(UUID)')}`;
  const key = 'start_hour, session_id';
  const found = `SELECT ${key} FROM ${tables.ids} PREWHERE ${named} WHERE ${project} AND session_id = event_id`;
  return `${project} AND (${key}) IN (${found})`;
}
