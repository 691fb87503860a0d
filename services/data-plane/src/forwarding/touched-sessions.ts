import type { EventKey, EventState, StatesPort } from '@assay/event-store';
import { sessionOfRow } from '@assay/event-rows';
import { eventKey } from '@assay/log-readers';
import { readMove, type ConsumedEventRecord } from '../shared/consumed-event-record.js';
import type { ChangedEvent } from './changed-events.js';

export interface TouchedSessionDeps {
  readonly store: { readonly states: StatesPort };
  readonly recent: {
    recentState(key: string, wanted?: { readonly withoutPayload: boolean }): EventState | undefined;
    isUnchanged(key: string, version: number): boolean;
  };
}

/** A session that a batch may have changed. */
export interface TouchedSession extends EventKey {
  /** Whether a record touches it whose offset is not the version of a row in it: a move, or a replayed record. */
  readonly isUrgent: boolean;
}

/** Derived ids are UUIDs of version 5; only derived ids are moved. */
const DERIVED_ID_PATTERN = /^.{14}5/;
/** No legitimate chain of moves is longer. */
const MAX_CHAIN_LENGTH = 5;

/**
 * Returns every session whose rows the records of a batch may have changed, by `projectId/sessionId`: those that the
 * records name, those that their events are or were in, and those that such a session was moved to. A session too
 * many costs a summary; one too few would be out of date.
 */
export async function touchedSessions(
  changed: ReadonlyMap<string, ChangedEvent>,
  { store, recent }: TouchedSessionDeps,
): Promise<Map<string, TouchedSession>> {
  const touched = new Map<string, TouchedSession>();
  let latest: TouchedSession | undefined;
  const add = (session: TouchedSession) => {
    // Most events follow one of the same session.
    if (latest && isCovered(session, latest)) return;
    latest = session;
    const key = eventKey(session);
    const earlier = touched.get(key);
    if (!earlier || !isCovered(session, earlier)) touched.set(key, session);
  };
  const unknown = new Map<string, TouchedSession>();
  for (const [key, event] of changed) {
    const { projectId, eventId, records, replayed } = event;
    const isUrgent = replayed || records.some(({ record }) => record.kind === 'move');
    const [first] = records;
    const named = records.length === 1 && first ? namedSessions(first) : records.flatMap(namedSessions);
    for (const id of named) add({ projectId, eventId: id, isUrgent });
    const session = sessionFromCache(key, { event, named: named[0] }, recent);
    if (session === undefined) unknown.set(key, { projectId, eventId, isUrgent });
    else add({ projectId, eventId: session, isUrgent });
  }
  for (const [key, sessions] of await sessionsOf(store, [...unknown.values()])) {
    const event = unknown.get(key);
    if (event) for (const id of sessions) add({ ...event, eventId: id });
  }
  await addMoveTargets(store, touched, add);
  return touched;
}

/** Whether adding the session after the other one changes nothing. */
function isCovered({ projectId, eventId, isUrgent }: TouchedSession, by: TouchedSession): boolean {
  return eventId === by.eventId && projectId === by.projectId && (by.isUrgent || !isUrgent);
}

async function sessionsOf(store: TouchedSessionDeps['store'], keys: readonly EventKey[]) {
  return keys.length === 0 ? [] : store.states.sessionsOfEvents(keys);
}

/** Returns the sessions that a record names; none for a row that cannot be read, which is not stored either. */
function namedSessions({ record }: ConsumedEventRecord): readonly string[] {
  if (record.kind === 'patch') return [];
  // A deleted or moved event may be a session.
  if (record.kind === 'delete') return [record.eventId];
  if (record.kind === 'event') {
    try {
      return [sessionOfRow(record.value)];
    } catch {
      return [];
    }
  }
  const { to, sessions } = readMove(record);
  // Only the move of a session changes sessions: that of a parent carries the sessions of its children.
  return sessions === undefined ? [record.eventId, to] : [];
}

interface NamingEvent {
  readonly event: ChangedEvent;
  /** The first session that its records name. */
  readonly named: string | undefined;
}

/**
 * Returns the only session that the event has been in since the records before its first one in the batch; undefined
 * when that has to be looked up.
 */
function sessionFromCache(
  key: string,
  { event: { records, version }, named }: NamingEvent,
  recent: TouchedSessionDeps['recent'],
): string | undefined {
  if (records.some(({ record }) => record.kind === 'delete' || record.kind === 'move')) return undefined;
  // Without deletes and moves only creates name a session.
  if (records.some(({ record }) => record.kind === 'event')) {
    // No earlier record can name an id that ingestion has just drawn.
    const isNew = records.every(({ record }) => record.kind !== 'event' || record.fresh);
    const isKnown = isNew || (records.length === 1 && recent.isUnchanged(key, version));
    return isKnown ? named : undefined;
  }
  const state = recent.recentState(key, { withoutPayload: true });
  const isRecent = (state?.event?.version ?? -1) >= version;
  return isRecent ? state?.event?.session_id : undefined;
}

async function addMoveTargets(
  store: TouchedSessionDeps['store'],
  touched: ReadonlyMap<string, TouchedSession>,
  add: (session: TouchedSession) => void,
): Promise<void> {
  let unseen = [...touched.values()];
  for (let step = 0; step < MAX_CHAIN_LENGTH && unseen.length > 0; step++) {
    const before = new Set(touched.keys());
    const derived = unseen.filter(({ eventId }) => DERIVED_ID_PATTERN.test(eventId));
    if (derived.length === 0) return;
    const flags = await store.states.changeFlags(derived);
    for (const session of derived) {
      const movedTo = flags.get(eventKey(session))?.movedTo;
      if (movedTo !== undefined) add({ ...session, eventId: movedTo });
    }
    unseen = [...touched].flatMap(([key, session]) => (before.has(key) ? [] : session));
  }
}
