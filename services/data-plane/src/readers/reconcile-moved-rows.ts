import { randomUUID } from 'node:crypto';
import type { EventKey, EventStore, Tombstone } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-store/rows';
import { MAX_VERSION } from './erase-sessions.js';
import { eventKey, moveTargets, type ChangeFlagsByKey } from './move-targets.js';
import { locatedRowOfEvent, type LocatedRow } from './located-row.js';

/** What became of rows that were looked after. */
export interface Reconciliation {
  /** `projectId/eventId` of those that lie elsewhere now, have another parent, or went. */
  readonly changed: ReadonlySet<string>;
  /** Deleted sessions that some of them lie in. */
  readonly deletedSessions: readonly EventKey[];
}

/** Ids that are derived have this version; only such ids are moved. */
const DERIVED = /^.{14}5/;

/** Every round but the first needs a move that was stored during the one before. */
const MAX_ROUNDS = 10;

/**
 * Makes what looks after rows that have been written, or found: takes those that name a moved session or parent to where they belong, under their own
 * version, and tells which lie in deleted sessions. `gone` are rows that were taken away because their events are deleted: they go at the new place, too.
 *
 * A move and what it moves lie in different partitions of the log. Whoever moves writes the mark first and then looks for rows; whoever writes a row looks for
 * marks afterwards, also when it only moved the row. So of two that touch one row at the same time, the later one sees what the other did.
 * The old place is closed for good: a row that is written there from an older memory is not seen, and whoever wrote it brings it here.
 */
export function makeReconcileMovedRows(deps: {
  readonly store: Pick<EventStore, 'readChangeFlags' | 'write'>;
}) {
  return async function reconcileMovedRows(
    rows: readonly LocatedRow[],
    gone: readonly Tombstone[],
  ): Promise<Reconciliation> {
    const changed = new Set<string>();
    const deletedSessions = new Map<string, EventKey>();
    let [written, removed] = [rows, gone];
    for (let round = 0; round < MAX_ROUNDS && written.length + removed.length > 0; round++) {
      const marks = await deps.store.readChangeFlags(namesIn(written, removed));
      for (const session of sessionsOf(written))
        if (marks.get(eventKey(session))?.deleted) deletedSessions.set(eventKey(session), session);
      const renames = await renamesOf(deps.store, marks, written, removed);
      if (renames.tombstones.length + renames.rows.length === 0) break;
      await deps.store.write({
        rows: renames.rows.map(({ event, version }) => ({ bytes: encodeEventRow(event()), version })),
        tombstones: renames.tombstones,
        changes: [],
        token: randomUUID(),
      });
      for (const row of [...renames.rows, ...renames.tombstones]) changed.add(eventKey(row));
      [written, removed] = [renames.rows, []];
    }
    return { changed, deletedSessions: [...deletedSessions.values()] };
  };
}

/** Sessions, and parents that are not among the rows themselves. */
function namesIn(rows: readonly LocatedRow[], gone: readonly Tombstone[]): EventKey[] {
  const present = new Set(rows.map(eventKey));
  const names = new Map<string, EventKey>();
  for (const session of sessionsOf([...rows, ...gone])) names.set(eventKey(session), session);
  for (const { projectId, sessionId, parentId } of rows) {
    if (parentId === undefined || parentId === sessionId || !DERIVED.test(parentId)) continue;
    const parent = { projectId, eventId: parentId };
    if (!present.has(eventKey(parent))) names.set(eventKey(parent), parent);
  }
  return [...names.values()];
}

/** Rows of one session mostly lie side by side: each such run is named once. */
function sessionsOf(rows: readonly (LocatedRow | Tombstone)[]): EventKey[] {
  return rows
    .filter(
      (row, index) =>
        row.sessionId !== rows[index - 1]?.sessionId || row.projectId !== rows[index - 1]?.projectId,
    )
    .map(sessionKey);
}

interface Renames {
  readonly rows: LocatedRow[];
  readonly tombstones: Tombstone[];
}

async function renamesOf(
  store: Pick<EventStore, 'readChangeFlags'>,
  marks: ChangeFlagsByKey,
  rows: readonly LocatedRow[],
  gone: readonly Tombstone[],
): Promise<Renames> {
  const renames: Renames = { rows: [], tombstones: [] };
  if (![...marks.values()].some(({ movedTo }) => movedTo !== undefined)) return renames;
  const targets = await moveTargets(store, marks);
  const sessionOf = (session: EventKey) =>
    marks.get(eventKey(session))?.deleted ? undefined : targets.get(eventKey(session));
  for (const row of rows) addRename(row, sessionOf(sessionKey(row)), parentOf(row, targets), renames);
  for (const tombstone of gone) {
    const sessionId = sessionOf(sessionKey(tombstone));
    if (sessionId !== undefined) renames.tombstones.push({ ...tombstone, sessionId });
  }
  return renames;
}

function addRename(
  row: LocatedRow,
  session: string | undefined,
  parent: string | undefined,
  into: Renames,
): void {
  if (session === undefined && parent === undefined) return;
  const event = row.event();
  const isSession = row.eventId === row.sessionId;
  if (isSession && event.origin === 'sent') return;
  const { projectId, eventId, sessionId } = row;
  if (session !== undefined)
    into.tombstones.push({
      projectId,
      eventId,
      sessionId,
      startTime: event.start_time,
      version: MAX_VERSION,
    });
  if (isSession) return;
  const renamed = { ...event, session_id: session ?? event.session_id, parent_id: parent ?? event.parent_id };
  into.rows.push(locatedRowOfEvent({ ...renamed, version: row.version }));
}

function parentOf(
  { projectId, parentId }: LocatedRow,
  targets: ReadonlyMap<string, string>,
): string | undefined {
  return parentId === undefined ? undefined : targets.get(eventKey({ projectId, eventId: parentId }));
}

function sessionKey({
  projectId,
  sessionId,
}: {
  readonly projectId: string;
  readonly sessionId: string;
}): EventKey {
  return { projectId, eventId: sessionId };
}
