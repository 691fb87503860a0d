import { randomUUID } from 'node:crypto';
import type { EventRecord } from '@assay/contracts';
import type { Event } from '@assay/domain';
import type { EventKey, StatesPort, WriterPort, RowLocation, Tombstone } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { eventKey, splitBySize } from '@assay/log-readers';
import type { EventStateCache, StateToCache } from '../shared/event-state-cache.js';
import { MAX_VERSION } from '../shared/log-versions.js';
import {
  locatedRowOfEvent,
  referencedIds,
  sessionKeyOf,
  sessionsOf,
  type LocatedRow,
} from './located-row.js';
import { moveTargets, type ChangeFlagsByKey } from './moved-ids.js';
import { locationsNaming } from './moves.js';

export interface ReconcileDeps {
  readonly store: { readonly states: StatesPort; readonly writer: WriterPort };
  readonly recent: EventStateCache;
}

/** What a batch left in the store. */
export interface WrittenBatch {
  /**
   * Rows that it wrote, and rows that it found written: an earlier delivery may have stopped before
   * relocating them.
   */
  readonly rows: readonly LocatedRow[];
  /** Tombstones of rows whose events are deleted. */
  readonly deletedRows: readonly Tombstone[];
  /** Records of kind `move`, whose change flags are stored. */
  readonly moves: readonly EventRecord[];
  readonly states: readonly StateToCache[];
}

/** What reconciling rows has found. */
interface Reconciliation {
  /** `projectId/eventId` of rows that are relocated, have another parent, or are deleted. */
  readonly changed: Set<string>;
  /** Deleted sessions that some of the rows are in. */
  readonly deletedSessions: EventKey[];
  /** Rows that have to be relocated, and whose payloads must be read for that. */
  readonly unread: readonly LocatedRow[];
}

/** Every round after the first needs a move that was stored during the round before. */
const MAX_ROUNDS = 10;

/**
 * Returns the reconcile step of a batch: relocates the rows that it wrote and whose session or parent has
 * moved, caches the resulting states, and relocates the stored rows that its own moves concern. It resolves
 * with the deleted sessions that it has come across. Repeating it changes nothing. The README of this folder
 * explains the protocol.
 */
export function makeReconcile(deps: ReconcileDeps) {
  return async function reconcile(batch: WrittenBatch): Promise<readonly EventKey[]> {
    const { changed, deletedSessions, unread } = await reconcileMovedRows(
      deps,
      batch.rows,
      batch.deletedRows,
    );
    for await (const rows of wholeRows(deps.store.states, unread)) {
      const relocated = await reconcileMovedRows(deps, rows, []);
      for (const key of relocated.changed) changed.add(key);
      deletedSessions.push(...relocated.deletedSessions);
    }
    // Only now: if reconciling fails, the batch comes again and must be merged with the same states as
    // before.
    deps.recent.add(batch.states);
    deps.recent.delete(changed);
    const affected = [...deletedSessions];
    for await (const locations of locationsNaming(batch.moves, deps.store.states))
      affected.push(...(await relocateRows(deps, locations)));
    return affected;
  };
}

/**
 * Relocates rows whose session or parent has moved, keeping their version, until no flag asks for another
 * move.
 */
async function reconcileMovedRows(
  { store }: Pick<ReconcileDeps, 'store'>,
  rows: readonly LocatedRow[],
  deletedRows: readonly Tombstone[],
): Promise<Reconciliation> {
  const changed = new Set<string>();
  const deletedSessions = new Map<string, EventKey>();
  const unread: LocatedRow[] = [];
  let [written, deleted] = [rows, deletedRows];
  for (let round = 0; round < MAX_ROUNDS && written.length + deleted.length > 0; round++) {
    const flags = await store.states.changeFlags(referencedIds(written, deleted));
    for (const session of sessionsOf(written))
      if (flags.get(eventKey(session))?.deleted) deletedSessions.set(eventKey(session), session);
    const relocation = await planRelocation(store.states, flags, written, deleted);
    unread.push(...relocation.unread);
    if (relocation.tombstones.length + relocation.rows.length === 0) break;
    await store.writer.write({
      rows: relocation.rows.map(({ event, version }) => ({ bytes: encodeEventRow(event()), version })),
      tombstones: relocation.tombstones,
      changes: [],
      token: randomUUID(),
    });
    for (const row of [...relocation.rows, ...relocation.tombstones]) changed.add(eventKey(row));
    [written, deleted] = [relocation.rows, []];
  }
  return { changed, deletedSessions: [...deletedSessions.values()], unread };
}

/**
 * Reads the payloads of rows, in parts of bounded size. The payload may be at another location already, where another
 * reader has relocated the event before the update of the row. A row whose event is deleted has none.
 */
async function* wholeRows(
  states: StatesPort,
  rows: readonly LocatedRow[],
): AsyncGenerator<readonly LocatedRow[]> {
  const toLoad = ({ projectId, eventId }: LocatedRow) => ({ projectId, eventId });
  for (const part of await splitBySize(states, { items: rows, toLoad })) {
    const found = part.length === 0 ? new Map<string, never>() : await states.read(part.map(toLoad));
    yield part.flatMap((row) => {
      const stored = found.get(eventKey(row))?.event;
      return stored ? locatedRowOfEvent(withPayload(row, stored)) : [];
    });
  }
}

function withPayload({ event, version }: LocatedRow, stored: Event): Event & { readonly version: number } {
  const { inputs, outputs, config } = stored;
  return { ...event(), inputs, outputs, config, version };
}

interface Relocation {
  /** See {@link Reconciliation.unread}. */
  readonly unread: LocatedRow[];
  readonly rows: LocatedRow[];
  readonly tombstones: Tombstone[];
}

async function planRelocation(
  states: StatesPort,
  flags: ChangeFlagsByKey,
  rows: readonly LocatedRow[],
  deletedRows: readonly Tombstone[],
): Promise<Relocation> {
  const plan: Relocation = { rows: [], tombstones: [], unread: [] };
  if (![...flags.values()].some(({ movedTo }) => movedTo !== undefined)) return plan;
  const targets = await moveTargets(states, flags);
  const sessionTarget = (row: LocatedRow | Tombstone) => {
    const key = eventKey(sessionKeyOf(row));
    return flags.get(key)?.deleted ? undefined : targets.get(key);
  };
  for (const row of rows) {
    const { projectId, parentId } = row;
    const parent =
      parentId === undefined ? undefined : targets.get(eventKey({ projectId, eventId: parentId }));
    addRelocated(plan, row, { session: sessionTarget(row), parent });
  }
  for (const tombstone of deletedRows) {
    const sessionId = sessionTarget(tombstone);
    if (sessionId !== undefined) plan.tombstones.push({ ...tombstone, sessionId });
  }
  return plan;
}

/**
 * A session row that a client sent stays; a synthesised one is removed. Every other row follows its targets.
 */
function addRelocated(
  plan: Relocation,
  row: LocatedRow,
  { session, parent }: { readonly session?: string; readonly parent?: string },
): void {
  if (session === undefined && parent === undefined) return;
  if (row.withoutPayload) {
    plan.unread.push(row);
    return;
  }
  const event = row.event();
  const { projectId, eventId, sessionId, version } = row;
  const isSession = eventId === sessionId;
  if (isSession && event.origin === 'sent') return;
  const location = { projectId, eventId, sessionId, startTime: event.start_time };
  if (session !== undefined) plan.tombstones.push({ ...location, version: MAX_VERSION });
  if (isSession) return;
  const relocated = {
    ...event,
    session_id: session ?? event.session_id,
    parent_id: parent ?? event.parent_id,
  };
  plan.rows.push(locatedRowOfEvent({ ...relocated, version }));
}

/**
 * Relocates the events that have rows at these locations. An event that is in another session already can
 * leave a row behind, when its two locations are on different shards and only one write succeeded: that row
 * is deleted.
 */
async function relocateRows(
  deps: ReconcileDeps,
  locations: readonly RowLocation[],
): Promise<readonly EventKey[]> {
  const states = await deps.store.states.read(locations);
  const found = [...states.values()].flatMap(({ event }) => event ?? []);
  const stale = locations.flatMap((location) => {
    const event = states.get(eventKey(location))?.event;
    return event && event.session_id !== location.sessionId ? [{ ...location, version: event.version }] : [];
  });
  if (stale.length > 0)
    await deps.store.writer.write({ rows: [], changes: [], tombstones: stale, token: randomUUID() });
  const { changed, deletedSessions } = await reconcileMovedRows(deps, found.map(locatedRowOfEvent), []);
  deps.recent.delete(changed);
  return deletedSessions;
}
