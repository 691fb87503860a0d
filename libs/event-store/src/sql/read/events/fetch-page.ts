import type { Event } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { DerivedValues } from '../../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import type { NarrowRow } from '../rows/event-reader.js';
import { eventsOf, type HeldRows } from './held-events.js';
import { rowKeyText, type RowKey } from '../rows/row-key.js';
import { derivable, deriveFrom, readWithDerived } from './relate-events.js';
import type { EventFacts } from '../sessions/event-facts.js';
import { readDenseNarrowRows, readNarrowRows, KEYS_PER_QUERY } from '../rows/read-by-keys.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { readPayloads } from './read-payloads.js';

/** Events of a page that is held as rows, at least. */
const MIN_HELD_EVENTS = 4_000;

/** A key of a page, and the size of its payload. */
export interface SizedKey extends RowKey {
  readonly payload_bytes: number;
}

/** A page of keys to read, and the bound on its payloads together. */
export interface PageRequest {
  readonly projectId: string;
  readonly keys: readonly SizedKey[];
  readonly maxBytes: number;
  /** Whether to read what is derived for the events, too. */
  readonly withDerived?: boolean;
  /** Whether the rows of a large page may be returned instead of its events. */
  readonly mayHold?: boolean;
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
  /** Instead of the events, what those of a large page are made of. */
  readonly held?: HeldRows;
}

/**
 * The events of a page of keys, in the order of the keys. An event whose rows were moved or deleted since the
 * page was read is omitted.
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
 * The events of a page of narrow rows, in their order; otherwise as {@link fetchPage}.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function fetchPageOfRows(
  runner: ConcurrentRunner,
  tables: TableNames,
  { mayHold = false, ...request }: RowsRequest,
): Promise<FetchedPage> {
  checkSize(request.keys, request.maxBytes);
  const rows = unique(request.keys);
  const { derived, ...held } = await readHeld(runner, tables, { ...request, keys: rows });
  if (mayHold && rows.length >= MIN_HELD_EVENTS) return { events: [], held: { ...held, derived } };
  return { events: eventsOf(held), ...(derived && { derived }) };
}

/** Reads what the events of rows are made of, and what is derived for them if that is asked for. */
async function readHeld(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, keys: rows, withDerived = false, areDense = false, sessions }: RowsRequest,
): Promise<HeldRows> {
  const read = (from: QueryRunner) => readPayloads(from, tables, { projectId, rows, areDense });
  if (!withDerived || rows.length === 0) return { rows, payloads: await read(runner) };
  const request = { projectId, events: rows.map(derivable) };
  if (sessions === undefined) {
    const [payloads, derived] = await readWithDerived(runner, tables, request, read);
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

/** Keys of a page without a second row of the same event, which an event has while its sort key changes. */
function unique<Key extends RowKey>(page: readonly Key[]): Key[] {
  const seen = new Set<string>();
  return page.filter((key) => !seen.has(key.key_event) && seen.add(key.key_event));
}
