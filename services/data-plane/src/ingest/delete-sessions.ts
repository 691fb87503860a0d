import { randomUUID } from 'node:crypto';
import type { EventKey, RowLocation, StatesPort, WriterPort } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import type { EventStateCache } from '../shared/event-state-cache.js';
import { MAX_VERSION } from '../shared/log-versions.js';

export interface DeleteSessionsDeps {
  readonly store: { readonly states: StatesPort; readonly writer: WriterPort };
  readonly recent: EventStateCache;
}

const ROWS_PER_WRITE = 5_000;
const SESSIONS_PER_READ = 1_000;

/**
 * Returns the delete step of a batch: writes tombstones for all rows of sessions whose deletion is stored.
 * Repeating it changes nothing.
 *
 * A session and its events are in different partitions of the log, so two readers may store the delete and an
 * event concurrently. The reader of the delete writes the change flag before it looks for rows; the reader of
 * an event writes the row before it checks the flag. So at least one of the two sees the other's write.
 */
export function makeDeleteSessions(deps: DeleteSessionsDeps) {
  return async function deleteSessions(sessions: readonly EventKey[]): Promise<void> {
    const projects = new Set(sessions.map(({ projectId }) => projectId));
    for (const projectId of projects) {
      const ids = sessions.filter((session) => session.projectId === projectId).map(({ eventId }) => eventId);
      for (let from = 0; from < ids.length; from += SESSIONS_PER_READ) {
        await deleteRows(deps, projectId, ids.slice(from, from + SESSIONS_PER_READ));
      }
    }
  };
}

/** The tombstones outrank every record, so that an older record of another partition cannot restore a row. */
async function deleteRows(
  { store, recent }: DeleteSessionsDeps,
  projectId: string,
  sessionIds: readonly string[],
): Promise<void> {
  let locations: readonly RowLocation[] = [];
  do {
    const after = locations.at(-1)?.eventId;
    locations = await store.states.rowLocations(projectId, sessionIds, { after, limit: ROWS_PER_WRITE });
    const tombstones = locations.map((location) => ({ ...location, version: MAX_VERSION }));
    await store.writer.write({ rows: [], changes: [], tombstones, token: randomUUID() });
    await store.writer.removeEvaluations(locations);
    recent.delete(locations.map(({ eventId }) => eventKey({ projectId, eventId })));
  } while (locations.length > 0);
}
