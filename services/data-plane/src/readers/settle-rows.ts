import { randomUUID } from 'node:crypto';
import type { EventKey, EventStore, Tombstone } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-store/rows';
import { FOR_GOOD } from './erase-sessions.js';
import { keyText, moveTargets, type Marks } from './move-targets.js';
import { placedEvent, type PlacedRow } from './placed-row.js';

/** What became of rows that were looked after. */
export interface Settled {
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
export function makeSettleRows(deps: { readonly store: Pick<EventStore, 'marksAmong' | 'write'> }) {
  return async function settleRows(rows: readonly PlacedRow[], gone: readonly Tombstone[]): Promise<Settled> {
    const changed = new Set<string>();
    const deletedSessions = new Map<string, EventKey>();
    let [written, removed] = [rows, gone];
    for (let round = 0; round < MAX_ROUNDS && written.length + removed.length > 0; round++) {
      const marks = await deps.store.marksAmong(namesIn(written, removed));
      for (const session of sessionsOf(written))
        if (marks.get(keyText(session))?.deleted) deletedSessions.set(keyText(session), session);
      const renames = await renamesOf(deps.store, marks, written, removed);
      if (renames.tombstones.length + renames.rows.length === 0) break;
      await deps.store.write({
        rows: renames.rows.map(({ event, version }) => ({ bytes: encodeEventRow(event()), version })),
        tombstones: renames.tombstones,
        changes: [],
        token: randomUUID(),
      });
      for (const row of [...renames.rows, ...renames.tombstones]) changed.add(keyText(row));
      [written, removed] = [renames.rows, []];
    }
    return { changed, deletedSessions: [...deletedSessions.values()] };
  };
}

/** Sessions, and parents that are not among the rows themselves. */
function namesIn(rows: readonly PlacedRow[], gone: readonly Tombstone[]): EventKey[] {
  const present = new Set(rows.map(keyText));
  const names = new Map<string, EventKey>();
  for (const session of sessionsOf([...rows, ...gone])) names.set(keyText(session), session);
  for (const { projectId, sessionId, parentId } of rows) {
    if (parentId === undefined || parentId === sessionId || !DERIVED.test(parentId)) continue;
    const parent = { projectId, eventId: parentId };
    if (!present.has(keyText(parent))) names.set(keyText(parent), parent);
  }
  return [...names.values()];
}

/** Rows of one session mostly lie side by side: each such run is named once. */
function sessionsOf(rows: readonly (PlacedRow | Tombstone)[]): EventKey[] {
  return rows
    .filter(
      (row, index) =>
        row.sessionId !== rows[index - 1]?.sessionId || row.projectId !== rows[index - 1]?.projectId,
    )
    .map(sessionKey);
}

interface Renames {
  readonly rows: PlacedRow[];
  readonly tombstones: Tombstone[];
}

async function renamesOf(
  store: Pick<EventStore, 'marksAmong'>,
  marks: Marks,
  rows: readonly PlacedRow[],
  gone: readonly Tombstone[],
): Promise<Renames> {
  const renames: Renames = { rows: [], tombstones: [] };
  if (![...marks.values()].some(({ movedTo }) => movedTo !== undefined)) return renames;
  const targets = await moveTargets(store, marks);
  const sessionOf = (session: EventKey) =>
    marks.get(keyText(session))?.deleted ? undefined : targets.get(keyText(session));
  for (const row of rows) addRename(row, sessionOf(sessionKey(row)), parentOf(row, targets), renames);
  for (const tombstone of gone) {
    const sessionId = sessionOf(sessionKey(tombstone));
    if (sessionId !== undefined) renames.tombstones.push({ ...tombstone, sessionId });
  }
  return renames;
}

function addRename(
  row: PlacedRow,
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
    into.tombstones.push({ projectId, eventId, sessionId, startTime: event.start_time, version: FOR_GOOD });
  if (isSession) return;
  const renamed = { ...event, session_id: session ?? event.session_id, parent_id: parent ?? event.parent_id };
  into.rows.push(placedEvent({ ...renamed, version: row.version }));
}

function parentOf(
  { projectId, parentId }: PlacedRow,
  targets: ReadonlyMap<string, string>,
): string | undefined {
  return parentId === undefined ? undefined : targets.get(keyText({ projectId, eventId: parentId }));
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
