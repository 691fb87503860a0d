import { parseExactJson, type EventPatch } from '@assay/domain';
import type { EventChanges } from '../../../event-store.js';

/** Accumulated updates and deletes of an event, as read. */
export interface ChangeRow {
  readonly key_event: string;
  readonly patch: string;
  readonly deleted: number;
  /** Empty: not moved. */
  readonly moved_to: string;
  readonly update_ids: readonly string[];
  readonly version: number;
}

/** Returns the changes of a row. */
export function readChanges(projectId: string, row: ChangeRow): EventChanges {
  const patch = parseExactJson(row.patch) as EventPatch;
  const movedTo = row.moved_to === '' ? {} : { movedTo: row.moved_to };
  return {
    projectId,
    eventId: row.key_event,
    patch,
    deleted: row.deleted === 1,
    ...movedTo,
    ...(row.update_ids.length === 0 ? {} : { updateIds: row.update_ids }),
    version: row.version,
  };
}
