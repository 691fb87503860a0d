import type { Event } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { QueryRunner } from '../engine/engine.js';
import { EVENT_READER, type StoredRow } from './event-reader.js';
import { rowKeyText, type RowKey } from './row-key.js';
import { narrowRows, payloadRows } from './row-queries.js';
import type { TableNames } from '../schema/topology.js';
import { chunks } from './chunks.js';

/** Keys of one statement. */
const KEYS_PER_QUERY = 1_000;

/** A key of a page, and the size of its payload. */
export interface SizedKey extends RowKey {
  readonly payload_bytes: number;
}

export type VersionedEvent = Event & { readonly version: number };

/** A page of keys to read, and the bound on its payloads together. */
export interface PageRequest {
  readonly projectId: string;
  readonly keys: readonly SizedKey[];
  readonly maxBytes: number;
}

/**
 * The events of a page of keys, in the order of the keys. An event whose rows were moved or deleted since the
 * page was read is left out, and so is one whose payload is not written yet: it becomes visible as a whole.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function fetchPage(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, keys: page, maxBytes }: PageRequest,
): Promise<Event[]> {
  const bytes = page.reduce((sum, key) => sum + key.payload_bytes, 0);
  if (bytes > maxBytes)
    throw validationError('the events of the page are too large together: ask for fewer with limit');
  const events = new Map<string, Event>();
  for (const keys of chunks(page, KEYS_PER_QUERY)) {
    const [narrow, payloads] = await Promise.all([
      engine.query<StoredRow>(narrowRows(tables, projectId, keys)),
      engine.query<StoredRow>(payloadRows(tables, projectId, keys)),
    ]);
    for (const [key, event] of joined(narrow, payloads)) events.set(key, withoutVersion(event));
  }
  return unique(page).flatMap((key) => events.get(rowKeyText(key)) ?? []);
}

/**
 * The events of narrow rows, with their payloads; of several rows of one event the one of the highest
 * version.
 */
export async function fetchPayloads(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  narrow: StoredRow[],
): Promise<VersionedEvent[]> {
  if (narrow.length === 0) return [];
  const payloads = await engine.query<StoredRow>(payloadRows(tables, projectId, narrow));
  const newest = new Map<string, VersionedEvent>();
  for (const event of joined(narrow, payloads).values()) {
    const other = newest.get(event.event_id);
    if (other === undefined || other.version < event.version) newest.set(event.event_id, event);
  }
  return [...newest.values()];
}

/** An event, as the store returns it to readers. */
export function withoutVersion({ version: _version, ...event }: VersionedEvent): Event {
  return event;
}

/**
 * A batch reaches the two tables one after the other. The version of an event is the lower one of its rows: a
 * reader that asks whether a record is stored already learns that it is not, and writes it again.
 */
function joined(narrow: readonly StoredRow[], payloads: readonly StoredRow[]): Map<string, VersionedEvent> {
  const byKey = new Map(payloads.map((row) => [rowKeyText(row), row]));
  const events = new Map<string, VersionedEvent>();
  for (const row of narrow) {
    const payload = byKey.get(rowKeyText(row));
    if (payload === undefined) continue;
    events.set(rowKeyText(row), {
      ...EVENT_READER.read(row, payload),
      version: Math.min(row.version, payload.version),
    });
  }
  return events;
}

/** Keys of a page without a second row of the same event, which an event has while its sort key changes. */
function unique(page: readonly RowKey[]): RowKey[] {
  const seen = new Set<string>();
  return page.filter((key) => !seen.has(key.key_event) && seen.add(key.key_event));
}
