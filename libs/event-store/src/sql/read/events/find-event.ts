import type { EventWithDerived } from '../../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import { isResultTooLarge } from '../../engine/engine-failure.js';
import type { TableNames } from '../../schema/topology.js';
import type { EventLocation } from '../hints/event-locations.js';
import { EVENT_READER, type StoredRow } from '../rows/event-reader.js';
import { fetchPayloads, withoutVersion } from '../rows/join-rows.js';
import { readNarrowRowsOf, readPayloadRows } from '../rows/read-by-keys.js';
import { derivable, deriveFrom, readDerived, readSessions, readWithDerived } from './relate-events.js';
import { hasSameKey, type RowKey } from '../rows/row-key.js';
import type { Event } from '@assay/domain';

/** An event of a project, and its location if that is known. */
export interface EventRequest {
  readonly projectId: string;
  readonly eventId: string;
  readonly location: EventLocation | undefined;
}

/** The event of an id with what is derived for it; undefined as for {@link readEvent}. */
export async function readEventWithDerived(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, eventId, location }: EventRequest,
): Promise<EventWithDerived | undefined> {
  const located = location && (await readLocatedEvent(runner, tables, projectId, location));
  if (located !== undefined) return located;
  const narrow = await readNarrowRowsOf(runner, tables, projectId, eventId);
  const [row, ...others] = narrow;
  if (row === undefined) return undefined;
  const read = async (from: QueryRunner) => (await fetchPayloads(from, tables, projectId, narrow))[0];
  // The derived values are those of the session that it is in, which the payloads of several rows decide.
  if (others.length > 0) {
    const event = await read(runner);
    if (event === undefined) return undefined;
    const derived = await readDerived(runner, tables, { projectId, events: [event] });
    return { event: withoutVersion(event), derived };
  }
  const request = { projectId, events: [derivable(row)] };
  const [event, derived] = await readWithDerived(runner, tables, request, read);
  return event && { event: withoutVersion(event), derived };
}

/**
 * Reads the row of an event, and concurrently what its location says: the rows of its session, and its payload. Undefined if the
 * event is not there any more, or if the payload is older than the row, which may have been written after the payload was read.
 */
async function readLocatedEvent(
  runner: ConcurrentRunner,
  tables: TableNames,
  projectId: string,
  location: EventLocation,
): Promise<EventWithDerived | undefined> {
  const { key_event: event_id, key_session: session_id, event_type } = location;
  const request = { projectId, events: [{ event_id, session_id, event_type }] };
  const [[row, ...others], { sessions, payload }] = await runner.concurrently(
    (main) => readNarrowRowsOf(main, tables, projectId, event_id),
    async (side) => ({
      sessions: await readSessions(side, tables, request),
      payload: await readPayload(side, tables, projectId, location),
    }),
  );
  if (row === undefined || others.length > 0 || payload === undefined) return undefined;
  const isThere = hasSameKey(row, location) && row.event_type === event_type;
  if (!isThere || payload.version < row.payload_version) return undefined;
  const derived = await deriveFrom(runner, tables, { ...request, rows: sessions });
  return { event: EVENT_READER.read(row, payload), derived };
}

/** The payload of a key; undefined also when it needs more than a statement of the side lane may use. */
async function readPayload(
  side: QueryRunner,
  tables: TableNames,
  projectId: string,
  key: RowKey,
): Promise<StoredRow | undefined> {
  try {
    return (await readPayloadRows(side, tables, projectId, [key]))[0];
  } catch (error) {
    if (isResultTooLarge(error)) return undefined;
    throw error;
  }
}

/** The event of an id; undefined when it has no row, or no payload. */
export async function readEvent(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  eventId: string,
): Promise<Event | undefined> {
  const narrow = await readNarrowRowsOf(engine, tables, projectId, eventId);
  const [event] = await fetchPayloads(engine, tables, projectId, narrow);
  return event === undefined ? undefined : withoutVersion(event);
}
