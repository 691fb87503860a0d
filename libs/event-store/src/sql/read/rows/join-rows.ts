import type { Event } from '@assay/domain';
import type { QueryRunner } from '../../engine/engine.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from './event-reader.js';
import { rowKeyText } from './row-key.js';
import { readPayloadRows } from './read-by-keys.js';
import { restoreMedia, type MediaScope } from '../../media/restore-media.js';
import type { TableNames } from '../../schema/topology.js';

export type VersionedEvent = Event & { readonly version: number };

/**
 * The events of narrow rows, with their payloads; of several rows of one event the one of the highest
 * version.
 */
export async function fetchPayloads(
  engine: QueryRunner,
  tables: TableNames,
  scope: MediaScope,
  narrow: readonly NarrowRow[],
): Promise<readonly VersionedEvent[]> {
  const stored = await readPayloadRows(engine, tables, scope.projectId, narrow);
  const payloads = await restoreMedia(engine, tables, scope, stored);
  return newestOf(joined(narrow, payloads).values());
}

/** Of several versions of one event the highest. */
export function newestOf(events: Iterable<VersionedEvent>): VersionedEvent[] {
  const newest = new Map<string, VersionedEvent>();
  for (const event of events) {
    const other = newest.get(event.event_id);
    if (other === undefined || other.version < event.version) newest.set(event.event_id, event);
  }
  return [...newest.values()];
}

/** An event, as the store returns it to readers. */
export function withoutVersion({ version: _version, ...event }: VersionedEvent): Event {
  return event;
}

/** The events of the narrow rows that have a payload, by the key of their row. */
export function joined(
  narrow: readonly NarrowRow[],
  payloads: readonly StoredRow[],
): Map<string, VersionedEvent> {
  const byKey = new Map(payloads.map((row) => [rowKeyText(row), row]));
  const events = new Map<string, VersionedEvent>();
  for (const row of narrow) {
    const payload = byKey.get(rowKeyText(row));
    if (payload !== undefined) events.set(rowKeyText(row), eventOf(row, payload));
  }
  return events;
}

/**
 * A batch reaches the two tables one after the other. Without the payload that the narrow row belongs to, the version
 * of the event is the lower one of its rows: a reader that asks whether a record is stored already learns that it is
 * not, and writes it again. A narrow row that kept its payload has a higher version than that.
 */
export function eventOf(row: NarrowRow, payload: StoredRow): VersionedEvent {
  const isWhole = payload.version >= row.payload_version;
  const version = isWhole ? row.version : Math.min(row.version, payload.version);
  return { ...EVENT_READER.read(row, payload), version };
}
