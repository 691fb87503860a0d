import type { EventRecord } from '@assay/contracts';
import type { EventStore, LocationPage, RowLocation } from '@assay/event-store';
import { readMove } from '../shared/consumed-event-record.js';

/** Whole events are read for each page, so this bounds memory. */
const ROWS_PER_PAGE = 500;
const IDS_PER_SCAN = 100;

/**
 * Rows to look for: those of the sessions, and with `parentIds` only those directly below one of these
 * parents.
 */
interface Scan {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
  readonly parentIds?: readonly string[];
}

/** Yields, page by page, the locations of rows that name a moved id as their session or parent. */
export async function* locationsNaming(
  moves: readonly EventRecord[],
  store: Pick<EventStore, 'rowLocations'>,
): AsyncGenerator<readonly RowLocation[]> {
  for (const { projectId, sessionIds, parentIds } of scansFor(moves)) {
    let after: string | undefined;
    for (;;) {
      const page: LocationPage = { after, limit: ROWS_PER_PAGE, parentIds };
      const locations = await store.rowLocations(projectId, sessionIds, page);
      if (locations.length === 0) break;
      yield locations;
      after = locations.at(-1)?.eventId;
    }
  }
}

/** A move of a parent carries the sessions that its children may be in; a move of a session carries none. */
function scansFor(moves: readonly EventRecord[]): Scan[] {
  const scans: Scan[] = [];
  for (const projectId of new Set(moves.map((move) => move.projectId))) {
    const movedIds = moves
      .filter((move) => move.projectId === projectId)
      .map((move) => ({ id: move.eventId, sessions: readMove(move).sessions }));
    const sessions = movedIds.filter((moved) => moved.sessions === undefined).map(({ id }) => id);
    for (const sessionIds of chunks(sessions)) scans.push({ projectId, sessionIds });
    for (const parents of chunks(movedIds.filter((moved) => moved.sessions !== undefined))) {
      const sessionIds = [...new Set(parents.flatMap((parent) => parent.sessions ?? []))];
      scans.push({ projectId, sessionIds, parentIds: parents.map(({ id }) => id) });
    }
  }
  return scans;
}

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / IDS_PER_SCAN) }, (_, index) =>
    items.slice(index * IDS_PER_SCAN, (index + 1) * IDS_PER_SCAN),
  );
}
