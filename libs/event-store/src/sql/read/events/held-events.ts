import { toStoredEvent, type Event, type StoredEvent, type TreePlace } from '@assay/domain';
import type { DerivedValues, StoredEvents } from '../../../event-store.js';
import { chunks } from '../rows/chunks.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from '../rows/event-reader.js';

/** Events that are made of their rows at a time: a few milliseconds of work. */
const EVENTS_AT_A_TIME = 250;

/** What events are made of. */
export interface HeldRows {
  /** Of different events, in their order. */
  readonly rows: readonly NarrowRow[];
  /** By event id; absent without a payload. */
  readonly payloads: ReadonlyMap<string, StoredRow>;
  /** Events that were moved since the rows were read, by id. */
  readonly moved?: ReadonlyMap<string, Event>;
  readonly derived?: DerivedValues;
}

/**
 * Makes events of their rows, a few at a time, when they are asked for: their objects are garbage before the next ones are made.
 * @param query reads the parts; when it fails, no further one comes
 */
export async function* makeEvents(
  parts: readonly Promise<HeldRows>[],
  query: Promise<unknown>,
): AsyncGenerator<StoredEvents> {
  for (const part of parts) {
    const { rows, derived, ...made } = await Promise.race([part, query.then(() => part)]);
    const [below, named] = [byParent(derived?.children ?? []), byId(derived?.named ?? [])];
    for (const some of chunks(rows, EVENTS_AT_A_TIME)) {
      const events = storedEventsOf({ ...made, rows: some });
      const children = events.flatMap(({ event_id: id }) => below.get(id) ?? []);
      const positions = events.flatMap(({ children_ids: ids }) => ids.flatMap((id) => named.get(id) ?? []));
      yield { events, ...(derived && { derived: { rollups: derived.rollups, children, named: positions } }) };
    }
  }
}

/** The events of rows. An event without a payload is absent, unless it was moved. */
export function eventsOf({ rows, payloads, moved }: HeldRows): Event[] {
  return rows.flatMap((row) => {
    const payload = payloads.get(row.key_event);
    return payload === undefined ? (moved?.get(row.key_event) ?? []) : [EVENT_READER.read(row, payload)];
  });
}

/** The same with the open objects as they are stored. */
function storedEventsOf({ rows, payloads, moved }: HeldRows): StoredEvent[] {
  return rows.flatMap((row) => {
    const payload = payloads.get(row.key_event);
    if (payload !== undefined) return [EVENT_READER.readStored(row, payload)];
    const found = moved?.get(row.key_event);
    return found === undefined ? [] : [toStoredEvent(found)];
  });
}

function byParent(children: readonly TreePlace[]): Map<string, TreePlace[]> {
  return groupBy(children, ({ parentId }) => parentId ?? '');
}

function byId(events: readonly TreePlace[]): Map<string, TreePlace[]> {
  return groupBy(events, ({ eventId }) => eventId);
}

function groupBy(events: readonly TreePlace[], keyOf: (event: TreePlace) => string) {
  const groups = new Map<string, TreePlace[]>();
  for (const event of events) {
    const others = groups.get(keyOf(event));
    if (others === undefined) groups.set(keyOf(event), [event]);
    else others.push(event);
  }
  return groups;
}
