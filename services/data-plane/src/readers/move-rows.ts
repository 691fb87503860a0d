import { randomUUID } from 'node:crypto';
import type { EventRecord } from '@assay/contracts';
import type { EventKey, RowLocation, EventStore, LocationPage } from '@assay/event-store';
import { readMove } from './fold-records.js';
import { eventKey } from './move-targets.js';
import { locatedRowOfEvent } from './located-row.js';
import type { EventStateCache } from './event-state-cache.js';
import type { makeReconcileMovedRows } from './reconcile-moved-rows.js';

export interface MoveRowsDeps {
  readonly store: Pick<EventStore, 'rowLocations' | 'states' | 'write'>;
  readonly recent: EventStateCache;
  readonly reconcileMovedRows: ReturnType<typeof makeReconcileMovedRows>;
}

/** Whole events are read, so that not many of them are held at once. */
const ROWS_PER_READ = 500;
const NAMES_PER_SCAN = 100;

/** Where to look for rows that name moved ids. */
interface Scan {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
  readonly parentIds?: readonly string[];
}

/** Finds the rows that name ids whose moves are in the store already, and takes them to where they belong. Repeating it changes nothing. */
export function makeMoveRows(deps: MoveRowsDeps) {
  return async function moveRows(
    moves: readonly EventRecord[],
  ): Promise<{ readonly deletedSessions: readonly EventKey[] }> {
    const deletedSessions: EventKey[] = [];
    for (const scan of scansFor(moves)) {
      for await (const places of pagesOf(deps.store, scan))
        deletedSessions.push(...(await moveFound(deps, places)));
    }
    return { deletedSessions };
  };
}

function scansFor(moves: readonly EventRecord[]): Scan[] {
  const scans: Scan[] = [];
  for (const projectId of new Set(moves.map((move) => move.projectId))) {
    const mine = moves
      .filter((move) => move.projectId === projectId)
      .map((move) => ({ id: move.eventId, sessions: readMove(move).sessions }));
    const sessions = mine.filter((move) => move.sessions === undefined).map(({ id }) => id);
    for (const sessionIds of slices(sessions)) scans.push({ projectId, sessionIds });
    for (const parents of slices(mine.filter((move) => move.sessions !== undefined))) {
      const sessionIds = [...new Set(parents.flatMap((parent) => parent.sessions ?? []))];
      scans.push({ projectId, sessionIds, parentIds: parents.map(({ id }) => id) });
    }
  }
  return scans;
}

function slices<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / NAMES_PER_SCAN) }, (_, index) =>
    items.slice(index * NAMES_PER_SCAN, (index + 1) * NAMES_PER_SCAN),
  );
}

async function* pagesOf(
  store: MoveRowsDeps['store'],
  { projectId, sessionIds, parentIds }: Scan,
): AsyncGenerator<readonly RowLocation[]> {
  let after: string | undefined;
  for (;;) {
    const page: LocationPage = { after, limit: ROWS_PER_READ, parentIds };
    const places = await store.rowLocations(projectId, sessionIds, page);
    if (places.length === 0) return;
    yield places;
    after = places.at(-1)?.eventId;
  }
}

/**
 * An event that lies elsewhere already leaves a row behind when its two places are on different shards and only one was reached: that row is
 * older than the event and goes.
 */
async function moveFound(
  { store, recent, reconcileMovedRows }: MoveRowsDeps,
  places: readonly RowLocation[],
): Promise<readonly EventKey[]> {
  const states = await store.states(places);
  const found = [...states.values()].flatMap(({ event }) => event ?? []);
  const left = places.flatMap((place) => {
    const event = states.get(eventKey(place))?.event;
    return event && event.session_id !== place.sessionId ? [{ ...place, version: event.version }] : [];
  });
  if (left.length > 0) await store.write({ rows: [], changes: [], tombstones: left, token: randomUUID() });
  const settled = await reconcileMovedRows(found.map(locatedRowOfEvent), []);
  for (const key of settled.changed) recent.delete(key);
  return settled.deletedSessions;
}
