import type { Event } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { DerivedValues, EventWithDerived } from '../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../engine/engine.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from './event-reader.js';
import { rowKeyText, type RowKey } from './row-key.js';
import { derivable, deriveFrom, readDerived, readWithDerived } from './read-derived.js';
import type { EventFacts } from './event-facts.js';
import {
  MAX_DENSE_ROWS,
  readDensePayloadRows,
  readNarrowRows,
  readNarrowRowsOf,
  readPayloadRows,
} from './read-by-keys.js';
import { payloadRows, payloadRowsById } from './row-queries.js';
import type { TableNames } from '../schema/topology.js';
import { chunks } from './chunks.js';

/** Keys of one statement: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
const KEYS_PER_QUERY = 5_000;
/** Bytes of payloads of one statement, unless one is larger. */
const BYTES_PER_QUERY = 32 * 1024 ** 2;

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
  /** Whether to read what is derived for the events, too. */
  readonly withDerived?: boolean;
}

/** A page of narrow rows to read. */
export interface RowsRequest extends PageRequest {
  readonly keys: readonly NarrowRow[];
  /** Whether these are nearly all rows between the first hour and the last one of their sessions. */
  readonly areDense?: boolean;
  /** All rows of the sessions of the page, when they are known. */
  readonly sessions?: readonly EventFacts[];
}

/** The events of a page, with what is derived for them if that was asked for. */
export interface FetchedPage {
  readonly events: readonly Event[];
  readonly derived?: DerivedValues;
}

/**
 * The events of a page of keys, in the order of the keys. An event whose rows were moved or deleted since the
 * page was read is omitted, as is one whose payload is not written yet: an event becomes visible atomically.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function fetchPage(
  runner: ConcurrentRunner,
  tables: TableNames,
  { keys: page, ...request }: PageRequest,
): Promise<FetchedPage> {
  checkSize(page, request.maxBytes);
  const rows = new Map<string, NarrowRow>();
  for (const keys of chunks(page, KEYS_PER_QUERY))
    for (const row of await readNarrowRows(runner, tables, request.projectId, keys))
      rows.set(rowKeyText(row), row);
  const keys = unique(page).flatMap((key) => rows.get(rowKeyText(key)) ?? []);
  return fetchPageOfRows(runner, tables, { ...request, maxBytes: Infinity, keys });
}

/**
 * The events of a page of narrow rows, in their order; otherwise as {@link fetchPage}.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function fetchPageOfRows(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, keys: rows, maxBytes, withDerived = false, areDense = false, sessions }: RowsRequest,
): Promise<FetchedPage> {
  checkSize(rows, maxBytes);
  const read = async (from: QueryRunner) => {
    const events = await readPayloads(from, tables, { projectId, rows, areDense });
    return unique(rows).flatMap((row) => events.get(rowKeyText(row)) ?? []);
  };
  if (!withDerived || rows.length === 0) return { events: await read(runner) };
  const request = { projectId, events: unique(rows).map(derivable) };
  if (sessions === undefined) {
    const [events, derived] = await readWithDerived(runner, tables, request, read);
    return { events, derived };
  }
  const events = await read(runner);
  return { events, derived: await deriveFrom(runner, tables, { ...request, rows: sessions }) };
}

function checkSize(page: readonly SizedKey[], maxBytes: number): void {
  const bytes = page.reduce((sum, key) => sum + key.payload_bytes, 0);
  if (bytes > maxBytes) throw new PageTooLarge();
}

/** The failure of a page whose payloads are too large together. */
export class PageTooLarge extends AppError {
  constructor() {
    super('VALIDATION_ERROR', 'the events of the page are too large together: ask for fewer with limit');
  }
}

/** Events by their keys; absent without a payload. */
async function readPayloads(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, rows, areDense }: PayloadsRequest,
): Promise<Map<string, Event>> {
  const events = new Map<string, Event>();
  for (const part of partsBySize(rows, areDense)) {
    const payloads =
      (areDense ? await readDensePayloadRows(engine, tables, projectId, part) : undefined) ??
      (await readPayloadsByKeys(engine, tables, projectId, part));
    for (const [key, event] of joined(part, payloads)) events.set(key, withoutVersion(event));
  }
  return events;
}

interface PayloadsRequest {
  readonly projectId: string;
  readonly rows: readonly NarrowRow[];
  readonly areDense: boolean;
}

async function readPayloadsByKeys(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  rows: readonly NarrowRow[],
): Promise<StoredRow[]> {
  const payloads: StoredRow[] = [];
  for (const keys of chunks(rows, KEYS_PER_QUERY))
    payloads.push(...(await readPayloadRows(engine, tables, projectId, keys)));
  return payloads;
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

/** The event of an id with what is derived for it; undefined as for {@link readEvent}. */
export async function readEventWithDerived(
  runner: ConcurrentRunner,
  tables: TableNames,
  projectId: string,
  eventId: string,
): Promise<EventWithDerived | undefined> {
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

/** Splits rows so that the payloads of one statement are bounded, in number and in bytes. */
function* partsBySize(rows: readonly NarrowRow[], areDense: boolean): Generator<readonly NarrowRow[]> {
  const maxRows = areDense ? MAX_DENSE_ROWS : KEYS_PER_QUERY;
  let part: NarrowRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (part.length === maxRows || (part.length > 0 && bytes + row.payload_bytes > BYTES_PER_QUERY)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += row.payload_bytes;
  }
  if (part.length > 0) yield part;
}

/**
 * The events of narrow rows, with their payloads; of several rows of one event the one of the highest
 * version.
 */
export async function fetchPayloads(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  narrow: readonly NarrowRow[],
): Promise<readonly VersionedEvent[]> {
  const payloads = await readPayloadRows(engine, tables, projectId, narrow);
  return newestOf(joined(narrow, payloads).values());
}

async function pairByKey(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  narrow: readonly NarrowRow[],
): Promise<PairedRows> {
  if (narrow.length === 0) return { events: [], incomplete: [] };
  const events = joined(narrow, await engine.query<StoredRow>(payloadRows(tables, projectId, narrow)));
  return {
    events: newestOf(events.values()),
    incomplete: narrow.filter((row) => !events.has(rowKeyText(row))),
  };
}

function newestOf(events: Iterable<VersionedEvent>): VersionedEvent[] {
  const newest = new Map<string, VersionedEvent>();
  for (const event of events) {
    const other = newest.get(event.event_id);
    if (other === undefined || other.version < event.version) newest.set(event.event_id, event);
  }
  return [...newest.values()];
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
  const payloads = await engine.query<StoredRow>(payloadRowsById(tables, projectId, ids));
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

/** An event, as the store returns it to readers. */
export function withoutVersion({ version: _version, ...event }: VersionedEvent): Event {
  return event;
}

/**
 * A batch reaches the two tables one after the other. The version of an event is the lower one of its rows: a
 * reader that asks whether a record is stored already learns that it is not, and writes it again.
 */
function joined(narrow: readonly NarrowRow[], payloads: readonly StoredRow[]): Map<string, VersionedEvent> {
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
function eventOf(row: NarrowRow, payload: StoredRow): VersionedEvent {
  const isWhole = payload.version >= row.payload_version;
  const version = isWhole ? row.version : Math.min(row.version, payload.version);
  return { ...EVENT_READER.read(row, payload), version };
}

/** Keys of a page without a second row of the same event, which an event has while its sort key changes. */
function unique<Key extends RowKey>(page: readonly Key[]): Key[] {
  const seen = new Set<string>();
  return page.filter((key) => !seen.has(key.key_event) && seen.add(key.key_event));
}
