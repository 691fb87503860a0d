import type { Event } from '@assay/domain';
import type { EventKey, RowVersion, Tombstone } from '@assay/event-store';
import { decodeEventRow, parentOfRow, sessionOfRow } from '@assay/event-rows';
import { eventKey } from '@assay/log-readers';
import { type ConsumedEventRecord } from '../shared/consumed-event-record.js';

/** A stored row with its location and the ids of other events that it names. */
export interface LocatedRow {
  readonly projectId: string;
  readonly eventId: string;
  readonly sessionId: string;
  /** Absent without a parent. */
  readonly parentId?: string;
  readonly version: RowVersion;
  /** Decodes the event on demand. */
  readonly event: () => Event;
  /** The event has no payload; see `EventState`. */
  readonly withoutPayload?: true;
}

/** Derived ids are UUIDs of version 5; only derived ids are moved. */
const DERIVED_ID_PATTERN = /^.{14}5/;

/** Returns the row of a record that was stored without merging. */
export function locatedRowOfRecord({ record, version }: ConsumedEventRecord): LocatedRow {
  const { projectId, eventId, value } = record;
  return {
    projectId,
    eventId,
    sessionId: sessionOfRow(value),
    parentId: parentOfRow(value),
    version,
    event: () => decodeEventRow(value),
  };
}

/** Returns the row of an event. */
export function locatedRowOfEvent({
  version,
  ...event
}: Event & { readonly version: RowVersion }): LocatedRow {
  const { project_id: projectId, event_id: eventId, session_id: sessionId, parent_id: parentId } = event;
  return { projectId, eventId, sessionId, parentId: parentId ?? undefined, version, event: () => event };
}

/**
 * Returns the ids whose change flags decide about these rows: their sessions, and parents outside the rows.
 */
export function referencedIds(rows: readonly LocatedRow[], deletedRows: readonly Tombstone[]): EventKey[] {
  let present: Set<string> | undefined;
  const ids = new Map<string, EventKey>();
  for (const session of sessionsOf([...rows, ...deletedRows])) ids.set(eventKey(session), session);
  for (const { projectId, sessionId, parentId } of rows) {
    if (parentId === undefined || parentId === sessionId || !DERIVED_ID_PATTERN.test(parentId)) continue;
    const parent = { projectId, eventId: parentId };
    present ??= new Set(rows.map(eventKey));
    const key = eventKey(parent);
    if (!present.has(key)) ids.set(key, parent);
  }
  return [...ids.values()];
}

/**
 * Returns the sessions of rows. Rows of one session are usually adjacent, so each run yields its session
 * once.
 */
export function sessionsOf(rows: readonly (LocatedRow | Tombstone)[]): EventKey[] {
  return rows
    .filter(
      (row, index) =>
        row.sessionId !== rows[index - 1]?.sessionId || row.projectId !== rows[index - 1]?.projectId,
    )
    .map(sessionKeyOf);
}

export function sessionKeyOf({
  projectId,
  sessionId,
}: Pick<LocatedRow, 'projectId' | 'sessionId'>): EventKey {
  return { projectId, eventId: sessionId };
}
