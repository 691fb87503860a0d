import { randomUUID } from 'node:crypto';
import type { EventKey, RowLocation, EventStore } from '@assay/event-store';
import type { EventStateCache } from './event-state-cache.js';

export interface EraseSessionsDeps {
  readonly store: Pick<EventStore, 'rowLocations' | 'write'>;
  readonly recent: EventStateCache;
}

/**
 * Above every version that a record of the log gives: what a session takes along stays away, whichever partition an older record of it is delivered
 * from again.
 */
export const MAX_VERSION = Number.MAX_SAFE_INTEGER;

const ROWS_PER_WRITE = 5_000;
const SESSIONS_PER_READ = 1_000;

/**
 * Takes away the rows of sessions whose deletion is in the store already. Repeating it changes nothing.
 *
 * A session and its events lie in different partitions of the log, so the delete and an event may be stored at the same time by two readers. Whoever
 * deletes writes the mark first and then looks for rows; whoever stores a row looks for the mark afterwards. So at least one of the two sees the other.
 */
export function makeEraseSessions(deps: EraseSessionsDeps) {
  return async function eraseSessions(sessions: readonly EventKey[]): Promise<void> {
    const projects = new Set(sessions.map(({ projectId }) => projectId));
    for (const projectId of projects) {
      const ids = sessions.filter((session) => session.projectId === projectId).map(({ eventId }) => eventId);
      for (let from = 0; from < ids.length; from += SESSIONS_PER_READ) {
        await eraseRows(deps, projectId, ids.slice(from, from + SESSIONS_PER_READ));
      }
    }
  };
}

async function eraseRows(
  deps: EraseSessionsDeps,
  projectId: string,
  sessionIds: readonly string[],
): Promise<void> {
  let places: readonly RowLocation[] = [];
  do {
    const after = places.at(-1)?.eventId;
    places = await deps.store.rowLocations(projectId, sessionIds, { after, limit: ROWS_PER_WRITE });
    const tombstones = places.map((place) => ({ ...place, version: MAX_VERSION }));
    await deps.store.write({ rows: [], changes: [], tombstones, token: randomUUID() });
    for (const { eventId } of places) deps.recent.delete(`${projectId}/${eventId}`);
  } while (places.length > 0);
}
