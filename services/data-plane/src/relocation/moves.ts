import type { EventRecord } from '@assay/contracts';
import type { EventKey, StatesPort, LocationPage, RowLocation } from '@assay/event-store';
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
  states: StatesPort,
): AsyncGenerator<readonly RowLocation[]> {
  for (const scan of scansFor(moves, ({ eventId }) => eventId)) yield* locationsOf(scan, states);
}

/**
 * Yields, page by page, the events that stored moves have relocated: those that left a moved session, and those
 * below the new id of a moved parent.
 */
export async function* eventsRelocatedBy(
  moves: readonly EventRecord[],
  states: StatesPort,
): AsyncGenerator<readonly EventKey[]> {
  for (const scan of scansFor(moves, (move) => readMove(move).to)) {
    if (scan.parentIds === undefined) yield* eventsThatLeft(scan, states);
    else yield* locationsOf(scan, states);
  }
}

async function* locationsOf(
  { projectId, sessionIds, parentIds }: Scan,
  states: StatesPort,
): AsyncGenerator<readonly RowLocation[]> {
  let after: string | undefined;
  for (;;) {
    const page: LocationPage = { after, limit: ROWS_PER_PAGE, parentIds };
    const locations = await states.rowLocations(projectId, sessionIds, page);
    if (locations.length === 0) return;
    yield locations;
    after = locations.at(-1)?.eventId;
  }
}

async function* eventsThatLeft(
  { projectId, sessionIds }: Scan,
  states: StatesPort,
): AsyncGenerator<readonly EventKey[]> {
  let after: string | undefined;
  for (;;) {
    const ids = await states.relocatedIds(projectId, sessionIds, { after, limit: ROWS_PER_PAGE });
    if (ids.length === 0) return;
    yield ids.map((eventId) => ({ projectId, eventId }));
    after = ids.at(-1);
  }
}

/**
 * Returns the scans for moves. A move of a parent carries the sessions that its children may be in; a move of a
 * session carries none. `parentOf` returns the parent to look for.
 */
function scansFor(moves: readonly EventRecord[], parentOf: (move: EventRecord) => string): Scan[] {
  const scans: Scan[] = [];
  for (const projectId of new Set(moves.map((move) => move.projectId))) {
    const movedIds = moves
      .filter((move) => move.projectId === projectId)
      .map((move) => ({ id: move.eventId, parentId: parentOf(move), sessions: readMove(move).sessions }));
    const sessions = movedIds.filter((moved) => moved.sessions === undefined).map(({ id }) => id);
    for (const sessionIds of chunks(sessions)) scans.push({ projectId, sessionIds });
    for (const parents of chunks(movedIds.filter((moved) => moved.sessions !== undefined))) {
      const sessionIds = [...new Set(parents.flatMap((parent) => parent.sessions ?? []))];
      scans.push({ projectId, sessionIds, parentIds: parents.map(({ parentId }) => parentId) });
    }
  }
  return scans;
}

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / IDS_PER_SCAN) }, (_, index) =>
    items.slice(index * IDS_PER_SCAN, (index + 1) * IDS_PER_SCAN),
  );
}
