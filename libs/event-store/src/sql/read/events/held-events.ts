import type { Event, StoredEvent, TreePlace } from '@assay/domain';
import type { DerivedValues, StoredEvents } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from '../rows/event-reader.js';
import { readTreePositions } from '../sessions/tree-positions.js';

/** Events that are made of their rows at a time: a few milliseconds of work. */
const EVENTS_AT_A_TIME = 250;

/** What events are made of. */
export interface HeldRows {
  /** Of different events, in their order. */
  readonly rows: readonly NarrowRow[];
  /** By event id; absent without a payload. */
  readonly payloads: ReadonlyMap<string, StoredRow>;
  readonly derived?: DerivedValues;
}

/**
 * Makes events of their rows, a few at a time, when they are asked for: their objects are garbage before the next ones are made.
 */
export function* makeEvents({ rows, derived, ...made }: HeldRows): Generator<StoredEvents> {
  const [below, named] = [byParent(derived?.children ?? []), byId(derived?.named ?? [])];
  for (const some of chunks(rows, EVENTS_AT_A_TIME)) {
    const events = storedEventsOf({ ...made, rows: some });
    const children = events.flatMap(({ event_id: id }) => below.get(id) ?? []);
    const positions = events.flatMap(({ children_ids: ids }) => ids.flatMap((id) => named.get(id) ?? []));
    yield { events, ...(derived && { derived: { rollups: derived.rollups, children, named: positions } }) };
  }
}

/** Adds the events that others name as their children, if derived values were asked for. */
export async function withNamedEvents(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  held: HeldRows,
): Promise<HeldRows> {
  const { rows, derived } = held;
  if (derived === undefined) return held;
  const ids = [...new Set(rows.flatMap((row) => row['children_ids'] as readonly string[]))];
  const named = ids.length === 0 ? [] : await readTreePositions(runner, tables, projectId, ids);
  return { ...held, derived: { ...derived, named } };
}

/** The events of rows. An event without a payload is absent. */
export function eventsOf({ rows, payloads }: HeldRows): Event[] {
  return rows.flatMap((row) => {
    const payload = payloads.get(row.key_event);
    return payload === undefined ? [] : [EVENT_READER.read(row, payload)];
  });
}

/** The same with the open objects as they are stored. */
function storedEventsOf({ rows, payloads }: HeldRows): StoredEvent[] {
  return rows.flatMap((row) => {
    const payload = payloads.get(row.key_event);
    return payload === undefined ? [] : [EVENT_READER.readStored(row, payload)];
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
