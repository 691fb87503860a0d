import type { Binder } from '../../engine/binder.js';
import type { TableNames } from '../../schema/topology.js';

/** Events of one project, by their ids. */
export interface IdsOfProject {
  readonly projectId: string;
  readonly eventIds: readonly string[];
}

/**
 * Condition on the rows of events in all their versions, for any table with the sort key of rows. The table of ids has their keys, so that the
 * work depends on the number of ids, and not on what the project has stored, in all or in an hour. For `PREWHERE`: all versions of a row share
 * its key.
 */
export function ofEvents(tables: TableNames, { projectId, eventIds }: IdsOfProject, binder: Binder): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const named = `event_id IN ${binder.bind(eventIds, 'Array(UUID)')}`;
  const key = 'start_hour, session_id, event_id';
  return `${project} AND (${key}) IN (SELECT ${key} FROM ${tables.ids} PREWHERE ${named} WHERE ${project})`;
}
