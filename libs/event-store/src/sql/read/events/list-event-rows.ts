import type { EventRowRead, EventRowsPage, PayloadPreview } from '../../../events-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { exactText, storedValue } from '../../filter/stored-value.js';
import type { TableNames } from '../../schema/topology.js';
import type { Hints } from '../hints/hints.js';
import { previewsOf, readFirstRows } from '../sessions/preview-sessions.js';
import { eventKeysQuery, type RowsSearch } from './event-rows-query.js';
import { readCount } from './read-count.js';
import { EVENT_READER, NO_PAYLOAD, type NarrowRow, type StoredRow } from '../rows/event-reader.js';
import { rowKeyText, type RowKey } from '../rows/row-key.js';
import { readNarrowRows } from '../rows/read-by-keys.js';
import { byKeys } from '../rows/row-queries.js';

/** Newest rows among which a page is looked for first, and then, when there are filters. */
const NEWEST_ROWS = { few: 2_000, many: 20_000 };

interface SortedKey extends RowKey {
  readonly sort_value: number | null;
}

type PreviewRow = RowKey & Readonly<Record<string, string | null>>;

/** What one page was read with. A row whose payload is not written yet, or that was moved meanwhile, is left out. */
export interface RowsRead extends EventRowsPage {
  /** Whether every key of the page had its rows. */
  readonly isFull: boolean;
}

/** Reads a page of events without their payloads, in at most seven statements. */
export async function readEventRows(
  runner: QueryRunner,
  tables: TableNames,
  search: RowsSearch,
  { totals }: Pick<Hints, 'totals'>,
): Promise<RowsRead> {
  const { query } = search;
  const found = await readKeys(runner, tables, search);
  const keys = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  const narrow = mapByKey(await readNarrowRows(runner, tables, search.projectId, keys));
  const firsts = await readFirsts(runner, tables, search, [...narrow.values()]);
  const all = [...mapByKey([...keys, ...firsts]).values()];
  const previews = mapByKey(await readPreviews(runner, tables, search, all));
  const rows = keys.flatMap((key) => {
    const row = narrow.get(rowKeyText(key));
    const preview = previews.get(rowKeyText(key));
    return row === undefined || preview === undefined ? [] : [toRow(key, row, preview)];
  });
  const isFirst = query.after === undefined && query.since === undefined;
  const known = isFirst && !hasMore ? { value: rows.length, exact: true } : undefined;
  const count =
    query.count === 'none' ? undefined : (known ?? (await readCount(runner, tables, search, totals)));
  const ofFirsts = firsts.flatMap((key) => previews.get(rowKeyText(key)) ?? []);
  return {
    rows: withoutRepeats(rows),
    hasMore,
    ...(count && { count }),
    ...(query.withSessionPreviews && { sessionPreviews: previewsOf(ofFirsts) }),
    isFull: rows.length === keys.length,
  };
}

/** The newest page is looked for among the newest rows first, because most requests ask for it. */
async function readKeys(
  runner: QueryRunner,
  tables: TableNames,
  search: RowsSearch,
): Promise<readonly SortedKey[]> {
  const { sort, limit } = search.query;
  if (sort.field !== 'start_time' || sort.order !== 'desc')
    return runner.query<SortedKey>(eventKeysQuery(tables, search));
  for (const newest of newestRows(search)) {
    const keys = await runner.query<SortedKey>(eventKeysQuery(tables, search, newest));
    if (keys.length > limit) return keys;
  }
  return runner.query<SortedKey>(eventKeysQuery(tables, search));
}

/** Filters on types alone leave many rows: sessions are as many as their events are few. */
function newestRows({ query: { filters } }: RowsSearch): number[] {
  const areTypes = filters.every(({ field }) => field === 'event_type');
  return [...(areTypes ? [NEWEST_ROWS.few] : []), ...(filters.length > 0 ? [NEWEST_ROWS.many] : [])];
}

/** The keys of what the sessions among the rows began with, when it is asked for. */
function readFirsts(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, query }: RowsSearch,
  rows: readonly NarrowRow[],
): Promise<readonly RowKey[]> {
  const sessions = rows
    .filter((row) => query.withSessionPreviews === true && row.key_event === row.key_session)
    .map((row) => ({ sessionId: row.key_session, startTime: row.start_time }));
  return readFirstRows(runner, tables, { projectId, sessions, chars: query.previewChars });
}

function mapByKey<Row extends RowKey>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [rowKeyText(row), row]));
}

async function readPreviews(
  runner: QueryRunner,
  tables: TableNames,
  search: RowsSearch,
  keys: readonly RowKey[],
): Promise<PreviewRow[]> {
  return keys.length === 0 ? [] : runner.query<PreviewRow>(previewsQuery(tables, search, keys));
}

/**
 * The beginnings of payloads. The engine cuts them, so that large values never leave it. Without previews only the keys
 * are read: an event is visible once its payload is written.
 */
function previewsQuery(
  tables: TableNames,
  { projectId, query: { previewChars, payloadPaths } }: RowsSearch,
  keys: readonly RowKey[],
): Query {
  const binder = new Binder();
  if (previewChars === 0) return byKeys(tables.payloads, '1 AS present', projectId, { keys, binder });
  const chars = binder.bind(String(previewChars), 'UInt64');
  const values = payloadPaths.map((path, index) => {
    const stored = storedValue(path);
    const text = stored === undefined ? 'NULL' : exactText(stored, binder);
    return `leftUTF8(${text}, ${chars}) AS value_${index}`;
  });
  const columns = [
    `leftUTF8(inputs, ${chars}) AS inputs_start`,
    `leftUTF8(outputs, ${chars}) AS outputs_start`,
    ...values,
  ];
  return byKeys(tables.payloads, columns.join(', '), projectId, { keys, binder });
}

function toRow(key: SortedKey, row: StoredRow, preview: PreviewRow): EventRowRead {
  return {
    event: EVENT_READER.read(row, NO_PAYLOAD),
    position: { value: key.sort_value, eventId: key.key_event },
    payloadBytes: Number(row['payload_bytes'] ?? 0),
    ...(typeof preview['inputs_start'] === 'string' && { preview: toPreview(preview) }),
  };
}

function toPreview(row: PreviewRow): PayloadPreview {
  const values = Object.keys(row).filter((name) => name.startsWith('value_'));
  return {
    inputs: row['inputs_start'] ?? '',
    outputs: row['outputs_start'] ?? '',
    values: values.map((_, index) => row[`value_${index}`] ?? null),
  };
}

/** An event has a second row while its sort key changes. */
function withoutRepeats(rows: readonly EventRowRead[]): EventRowRead[] {
  const seen = new Set<string>();
  return rows.filter(({ event: { event_id: id } }) => !seen.has(id) && seen.add(id));
}
