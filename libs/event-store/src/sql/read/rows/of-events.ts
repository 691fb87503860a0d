import type { Binder } from '../../engine/binder.js';
import type { TableNames } from '../../schema/topology.js';

/** Events of one project, by their ids. */
export interface IdsOfProject {
  readonly projectId: string;
  readonly eventIds: readonly string[];
}

/** From more ids on, reading the ids of whole hours costs less than planning a look-up of each key, which takes 15 µs. */
const MAX_KEYS = 20;

/**
 * Condition on the rows of events in all their versions, for any table with the sort key of rows. The table of ids has the keys of few
 * events, and of many the hours in which they start. So the work grows at most with what is stored of these hours, and not with what the
 * project has stored. For `PREWHERE`: all versions of a row share its key.
 */
export function ofEvents(tables: TableNames, { projectId, eventIds }: IdsOfProject, binder: Binder): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const named = `event_id IN ${binder.bind(eventIds, 'Array(UUID)')}`;
  const found = (columns: string) =>
    `SELECT ${columns} FROM ${tables.ids} PREWHERE ${named} WHERE ${project}`;
  if (eventIds.length > MAX_KEYS)
    return `${project} AND start_hour IN (${found('DISTINCT start_hour')}) AND ${named}`;
  const key = 'start_hour, session_id, event_id';
  return `${project} AND (${key}) IN (${found(key)})`;
}
