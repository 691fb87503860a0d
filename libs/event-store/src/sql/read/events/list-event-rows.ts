import type { SessionRollup } from '../../../event-store.js';
import type { EventRowRead, EventRowsPage, EventRowsQuery, PayloadPreview } from '../../../events-port.js';
import type { PreviewedSession } from '../../../sessions-port.js';
import type { Binder } from '../../engine/binder.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import { exactText, storedValue } from '../../filter/stored-value.js';
import type { TableNames } from '../../schema/topology.js';
import type { Hints } from '../hints/hints.js';
import { firstRowsAmong, previewsOf, readFirstRows } from '../sessions/preview-sessions.js';
import { readPageFacts, rollUpPage } from '../sessions/roll-up-page.js';
import { eventKeysQuery, type NewestRows, type RowsSearch } from './event-rows-query.js';
import { readCount } from './read-count.js';
import {
  EVENT_READER,
  NO_PAYLOAD,
  VERSION_COLUMN,
  type NarrowRow,
  type StoredRow,
} from '../rows/event-reader.js';
import { inSideLane } from '../rows/in-side-lane.js';
import { rowKeyText, type RowKey } from '../rows/row-key.js';
import { readNarrowRows, readPayloadValues } from '../rows/read-by-keys.js';

/** Newest rows among which a page is looked for first when there are filters. */
const NEWEST_ROWS = 20_000;
/** The same of rows that match: for each row of the page, and besides. Some are old versions. */
const MATCHING_ROWS = { perRow: 2, more: 10 };
/** Rows of the second look among those that match, for each of the first. */
const GROWTH = 32;

interface SortedKey extends RowKey {
  readonly sort_value: number | null;
  /** 1: no hour was left out. */
  readonly is_whole?: number;
}

type PreviewRow = RowKey & Readonly<Record<string, string | null>>;

/** What one page was read with. A row that was moved or deleted meanwhile is left out. */
export interface RowsRead extends EventRowsPage {
  /** Whether every key of the page had its rows. */
  readonly isFull: boolean;
}

/** Reads a page of events without their payloads, in at most seven statements and those of the roll-ups. */
export async function readEventRows(
  runner: ConcurrentRunner,
  tables: TableNames,
  search: RowsSearch,
  { totals }: Pick<Hints, 'totals'>,
): Promise<RowsRead> {
  const { projectId, query } = search;
  const found = await readKeys(runner, tables, search);
  const keys = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  const read = await inSideLane(runner, (lane) => readNarrowRows(lane, tables, projectId, keys));
  const narrow = mapByKey(read);
  const { firsts, rollups } = await readOfSessions(runner, tables, search, [...narrow.values()]);
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
    ...(rollups && { rollups }),
    isFull: rows.length === keys.length,
  };
}

/** The newest page is looked for among the newest rows first, because most requests ask for it. */
async function readKeys(
  runner: ConcurrentRunner,
  tables: TableNames,
  search: RowsSearch,
): Promise<readonly SortedKey[]> {
  const { sort, limit } = search.query;
  if (sort.field !== 'start_time' || sort.order !== 'desc')
    return runner.query<SortedKey>(eventKeysQuery(tables, search));
  const isShort = areTypes(search);
  for (const newest of newestRows(search)) {
    const read = (lane: QueryRunner) => lane.query<SortedKey>(eventKeysQuery(tables, search, newest));
    const keys = await (isShort ? inSideLane(runner, read) : read(runner));
    if (keys.length > limit || keys[0]?.is_whole === 1) return keys;
    // Without a row it is unknown whether hours were left out: usually nothing is newer than the position.
    if (isShort && keys.length === 0) break;
  }
  return runner.query<SortedKey>(eventKeysQuery(tables, search));
}

/** Rows of some types are found by one column, so that the last one of the page says how far to look. */
function newestRows(search: RowsSearch): NewestRows[] {
  if (!areTypes(search)) return [{ count: NEWEST_ROWS, areMatching: false }];
  const count = MATCHING_ROWS.perRow * search.query.limit + MATCHING_ROWS.more;
  return [count, count * GROWTH].map((rows) => ({ count: rows, areMatching: true }));
}

function areTypes({ query: { filters } }: RowsSearch): boolean {
  return filters.every(({ field }) => field === 'event_type');
}

/** What the sessions of a page began with, and what their events add up to. */
interface OfSessions {
  readonly firsts: readonly RowKey[];
  readonly rollups?: ReadonlyMap<string, SessionRollup>;
}

/** What is asked for of the sessions among the rows. Of small ones both is read with one statement. */
async function readOfSessions(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, query }: RowsSearch,
  rows: readonly NarrowRow[],
): Promise<OfSessions> {
  const { previewChars: chars, withSessionPreviews, withSessionRollups } = query;
  const previewed = rows
    .filter((row) => withSessionPreviews === true && row.key_event === row.key_session)
    .map((row) => ({ sessionId: row.key_session, startTime: row.start_time }));
  const readFirsts = (sessions: readonly PreviewedSession[]) =>
    inSideLane(runner, (lane) => readFirstRows(lane, tables, { projectId, sessions, chars }));
  if (withSessionRollups !== true) return { firsts: await readFirsts(previewed) };
  const sessions = rows.filter(({ event_type: type }) => type === 'session');
  const ids = [...new Set(sessions.map((row) => row.key_session))];
  const facts = await readPageFacts(runner, tables, projectId, ids);
  const isKnown = ({ sessionId }: PreviewedSession) => facts.rows.has(sessionId);
  const unknown = await readFirsts(previewed.filter((session) => !isKnown(session)));
  const known = chars === 0 ? [] : firstRowsAmong(previewed.filter(isKnown), facts.rows);
  return { firsts: [...known, ...unknown], rollups: await rollUpPage(runner, tables, projectId, facts) };
}

function mapByKey<Row extends RowKey>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [rowKeyText(row), row]));
}

/**
 * The beginnings of payloads. The engine cuts them, so that large values never leave it. Without previews only the keys
 * are read: an event is visible once its payload is written.
 */
function readPreviews(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, query }: RowsSearch,
  keys: readonly RowKey[],
): Promise<PreviewRow[]> {
  const columnsOf = (binder: Binder) => [VERSION_COLUMN, ...previewColumns(query, binder)].join(', ');
  return inSideLane(runner, (lane) =>
    readPayloadValues<PreviewRow>(lane, tables, projectId, { keys, columnsOf }),
  );
}

function previewColumns({ previewChars, payloadPaths }: EventRowsQuery, binder: Binder): string[] {
  if (previewChars === 0) return [];
  const chars = binder.bind(String(previewChars), 'UInt64');
  const values = payloadPaths.map((path, index) => {
    const stored = storedValue(path);
    const text = stored === undefined ? `CAST(NULL, 'Nullable(String)')` : exactText(stored, binder);
    return `leftUTF8(${text}, ${chars}) AS value_${index}`;
  });
  return [
    `leftUTF8(inputs, ${chars}) AS inputs_start`,
    `leftUTF8(outputs, ${chars}) AS outputs_start`,
    ...values,
  ];
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
