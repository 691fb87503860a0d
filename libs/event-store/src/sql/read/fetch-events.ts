import type { Event } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { DerivedValues } from '../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../engine/engine.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from './event-reader.js';
import { eventsOf, type HeldRows } from './held-events.js';
import { hasSameKey, rowKeyText, type RowKey } from './row-key.js';
import { derivable, deriveFrom, readWithDerived, SessionReads } from './read-derived.js';
import type { EventFacts } from './event-facts.js';
import {
  MAX_DENSE_ROWS,
  readDenseNarrowRows,
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
/** Events of a page that is split, at least: each statement has a fixed price. */
const MIN_SPLIT_EVENTS = 4_000;
/** Events of the first and the second part of such a page; the third one has the others. */
const FIRST_EVENTS = 1_000;
const SECOND_EVENTS = 2_000;

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
  /** Whether a large page may be split. */
  readonly maySplit?: boolean;
  /** Whether these are nearly all rows between the first hour and the last one of their sessions. */
  readonly areDense?: boolean;
}

/** A page of narrow rows to read. */
export interface RowsRequest extends PageRequest {
  readonly keys: readonly NarrowRow[];
  /** All rows of the sessions of the page, when they are known. */
  readonly sessions?: readonly EventFacts[];
}

/** The events of a page, with what is derived for them if that was asked for. */
export interface FetchedPage {
  readonly events: readonly Event[];
  readonly derived?: DerivedValues;
  /** Instead of the events, of a page that is split: the first part was read, the others are being read. */
  readonly parts?: readonly Promise<HeldRows>[];
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
    for (const row of await readNarrow(runner, tables, { ...request, keys })) rows.set(rowKeyText(row), row);
  const keys = unique(page).flatMap((key) => rows.get(rowKeyText(key)) ?? []);
  return fetchPageOfRows(runner, tables, { ...request, maxBytes: Infinity, keys });
}

async function readNarrow(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, keys, areDense }: Pick<PageRequest, 'projectId' | 'keys' | 'areDense'>,
): Promise<NarrowRow[]> {
  const rows = areDense ? await readDenseNarrowRows(runner, tables, projectId, keys) : undefined;
  return rows ?? readNarrowRows(runner, tables, projectId, keys);
}

/**
 * The events of a page of narrow rows, in their order; otherwise as {@link fetchPage}. Of a large page that may be split the
 * parts, of which the first one was read and the others are being read.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function fetchPageOfRows(
  runner: ConcurrentRunner,
  tables: TableNames,
  { maySplit = false, ...request }: RowsRequest,
): Promise<FetchedPage> {
  checkSize(request.keys, request.maxBytes);
  const rows = unique(request.keys);
  const isSplit = maySplit && rows.length >= MIN_SPLIT_EVENTS && rows.length === request.keys.length;
  if (isSplit) return startParts(runner, tables, { ...request, keys: rows });
  const { derived, ...held } = await readHeld(runner, tables, { ...request, keys: rows });
  return { events: eventsOf(held), ...(derived && { derived }) };
}

/** Starts to read all parts: the statements of a lane run one after the other, so that those of the first part come first. */
async function startParts(
  runner: ConcurrentRunner,
  tables: TableNames,
  request: RowsRequest,
): Promise<FetchedPage> {
  const reads = new SessionReads();
  const parts = growingParts(request.keys).map((keys) =>
    readHeld(runner, tables, { ...request, keys }, reads),
  );
  // No statement may run on after the query.
  const ended = Promise.allSettled(parts);
  try {
    await parts[0];
    return { events: [], parts };
  } catch (error) {
    await ended;
    throw error;
  }
}

/** The first events are few, because nothing is sent before they are read; each part takes about as long as it takes to send the one before. */
function growingParts(rows: readonly NarrowRow[]): NarrowRow[][] {
  const ends = [FIRST_EVENTS, FIRST_EVENTS + SECOND_EVENTS];
  return [rows.slice(0, ends[0]), rows.slice(ends[0], ends[1]), rows.slice(ends[1])];
}

/** Reads what the events of rows are made of, and what is derived for them if that is asked for. */
async function readHeld(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, keys: rows, withDerived = false, areDense = false, sessions }: RowsRequest,
  reads?: SessionReads,
): Promise<HeldRows> {
  const read = (from: QueryRunner) => readPayloads(from, tables, { projectId, rows, areDense });
  if (!withDerived || rows.length === 0) return { rows, payloads: await read(runner) };
  const request = { projectId, events: rows.map(derivable) };
  if (sessions === undefined) {
    const [payloads, derived] = await readWithDerived(runner, tables, { ...request, sessions: reads }, read);
    return { rows, payloads, derived };
  }
  const payloads = await read(runner);
  return { rows, payloads, derived: await deriveFrom(runner, tables, { ...request, rows: sessions }) };
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

/** Payloads of rows of different events, by event id; absent without a payload. */
async function readPayloads(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, rows, areDense }: PayloadsRequest,
): Promise<HeldRows['payloads']> {
  const asked = new Map(rows.map((row) => [row.key_event, row]));
  const payloads = new Map<string, StoredRow>();
  for (const part of partsBySize(rows, areDense)) {
    const read =
      (areDense ? await readDensePayloadRows(engine, tables, projectId, part) : undefined) ??
      (await readPayloadsByKeys(engine, tables, projectId, part));
    for (const payload of read) {
      const row = asked.get(payload.key_event);
      if (row !== undefined && hasSameKey(row, payload)) payloads.set(row.key_event, payload);
    }
  }
  return payloads;
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
