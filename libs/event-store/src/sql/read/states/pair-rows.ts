import type { QueryRunner } from '../../engine/engine.js';
import type { NarrowRow, StoredRow } from '../rows/event-reader.js';
import { rowKeyText } from '../rows/row-key.js';
import { payloadRows } from '../rows/row-queries.js';
import { payloadRowsById } from './state-queries.js';
import { restoreMedia } from '../../media/restore-media.js';
import type { TableNames } from '../../schema/topology.js';
import type { VersionedEvent } from '../rows/join-rows.js';
import { joined, newestOf, eventOf } from '../rows/join-rows.js';

async function pairByKey(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  narrow: readonly NarrowRow[],
): Promise<PairedRows> {
  if (narrow.length === 0) return { events: [], incomplete: [] };
  const stored = await engine.query<StoredRow>(payloadRows(tables, projectId, narrow));
  const events = joined(narrow, await restoreMedia(engine, tables, { projectId }, stored));
  return {
    events: newestOf(events.values()),
    incomplete: narrow.filter((row) => !events.has(rowKeyText(row))),
  };
}

/** Events with their payloads, and the narrow rows that have none. */
export interface PairedRows {
  readonly events: readonly VersionedEvent[];
  readonly incomplete: readonly NarrowRow[];
}

/**
 * Pairs narrow rows with their payloads. An event without a complete row gets the payload of another location: a
 * write that moved the event stopped between the tables. Its version is the lower one, so that the update is
 * applied again when it is redelivered.
 */
export async function fetchPairs(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  narrow: readonly NarrowRow[],
): Promise<PairedRows> {
  const paired = await pairByKey(engine, tables, projectId, narrow);
  const found = new Set(paired.events.map((event) => event.event_id));
  const alone = paired.incomplete.filter((row) => !found.has(row.key_event));
  if (alone.length === 0) return paired;
  const ids = alone.map((row) => row.key_event);
  const stored = await engine.query<StoredRow>(payloadRowsById(tables, projectId, ids));
  const payloads = await restoreMedia(engine, tables, { projectId }, stored);
  const payloadOf = new Map(payloads.map((row) => [row.key_event, row]));
  const used = new Map<string, NarrowRow>();
  for (const row of alone) {
    const other = used.get(row.key_event);
    if (payloadOf.has(row.key_event) && (other === undefined || other.version < row.version))
      used.set(row.key_event, row);
  }
  const moved = [...used].flatMap(([id, row]) => {
    const payload = payloadOf.get(id);
    return payload === undefined ? [] : [eventOf(row, payload)];
  });
  return {
    events: [...paired.events, ...moved],
    incomplete: paired.incomplete.filter((row) => used.get(row.key_event) !== row),
  };
}
