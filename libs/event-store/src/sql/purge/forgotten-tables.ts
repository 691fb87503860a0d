import { HAS_FLAGS } from '../schema/columns.js';
import type { TableNames } from '../schema/topology.js';
import {
  CHANGE_ROWS,
  EVALUATION_ROWS,
  NARROW_ROWS,
  PAYLOAD_ROWS,
  type PurgedTable,
} from './purged-tables.js';
import { ofSessions } from './slices.js';

/** A table with rows that say only that an event was deleted. */
export interface ForgottenTable {
  /** Its name in the database. */
  readonly table: string;
  /** The name under which reads know it. */
  readonly readFrom: keyof TableNames;
  /** The table by whose deletions it is cut into slices. */
  readonly slicedAs: PurgedTable;
  /** Whether rows of one time are in all parts, because they are sorted by ids that are random. */
  readonly isSpread?: true;
  /** Whether a row is written before those that need it. */
  readonly isFirst?: true;
  /** Rows that can go: nothing that a reader sees, nor any other table, needs them. */
  readonly isForgotten: (sources: ForgottenSources, of: Forgotten) => string;
}

/** Tables that say which events are deleted. On a cluster those of the shard, in a statement that rewrites parts, but those of events by their ids. */
export interface ForgottenSources extends Pick<
  TableNames,
  'events' | 'payloads' | 'ids' | 'evaluations' | 'changes'
> {
  /** Narrow rows of all shards. */
  readonly allEvents: string;
}

/** Which deletes are forgotten. */
export interface Forgotten {
  /** Only events all of whose rows were deleted until then, Unix milliseconds. */
  readonly before: number;
  /** See `Slice`. */
  readonly within: string;
}

const ROW = 'project_id, start_hour, session_id, event_id';
const HOUR = 'project_id, start_hour, session_id';
const SESSION = 'project_id, session_id';
const EVENT = 'project_id, event_id';
const EVALUATION = 'project_id, event_id, metric_id, metric_version';
const IS_EMPTY = `patch IN ('', '{}')`;

/** When a tombstone was written, Unix milliseconds; 0 when that is not known. */
const DELETED_AT = 'greatest(ifNull(end_time, 0), toFloat64(toUnixTimestamp(stored_at)) * 1000)';

/** Condition on tombstones of narrow rows that are old enough. */
export function isOld(before: number): string {
  return `is_deleted = 1 AND ${DELETED_AT} <= ${before}`;
}

/** The keys, of these columns, that have old tombstones. `of` limits them; begins with `AND`. */
function closed(columns: string, from: string, { before, within }: Forgotten, of = ''): string {
  return `SELECT ${columns} FROM ${from} WHERE ${isOld(before)}${within}${of}`;
}

/** Condition on keys, of these columns, that have old tombstones, and no other row. */
function isDead(columns: string, from: string, of: Forgotten, named = ''): string {
  const isIn = globally(columns);
  return `(${columns}) ${isIn} IN (${closed(columns, from, of, named)}) AND ${hasNothingElse(columns, from, of, named)}`;
}

/** Condition on keys that have no other row than old tombstones: no value, and no tombstone that is younger. */
function hasNothingElse(columns: string, from: string, of: Forgotten, named = ''): string {
  const isIn = globally(columns);
  return (
    `(${columns}) ${isIn} NOT IN (SELECT ${columns} FROM ${from} WHERE NOT (${isOld(of.before)})${of.within} ` +
    `AND (${columns}) ${isIn} IN (${closed(columns, from, of, named)}))`
  );
}

/**
 * As {@link hasNothingElse}, of whole sessions, at any hour. What their tombstones are counted for, the order of their summaries, stays as long as
 * one of their events does.
 */
function hasNothingElseOfSession(events: string, of: Forgotten): string {
  return (
    `(${SESSION}) NOT IN (SELECT ${SESSION} FROM ${events} WHERE NOT (${isOld(of.before)}) ` +
    `AND (${SESSION}) IN (${closed(SESSION, events, of)}))`
  );
}

/** On a cluster a row and a session are on one shard each, an event that was moved on several. */
function globally(columns: string): string {
  return columns === EVENT ? 'GLOBAL' : '';
}

/** Those of a table that is sorted by ids, of which there may be few. */
function ofNamed(table: string, { within }: Forgotten): string {
  return ` AND (${EVENT}) GLOBAL IN (SELECT ${EVENT} FROM ${table} WHERE 1 = 1${within})`;
}

/**
 * In the order in which rows go. A narrow tombstone is last: it says what the others may forget, and closes what a stopped purge has left.
 * What an event or a session that was deleted by its id has in the table of changes stays, and keeps it deleted.
 */
export const FORGOTTEN_TABLES: readonly ForgottenTable[] = [
  {
    table: CHANGE_ROWS.table,
    readFrom: 'changes',
    slicedAs: CHANGE_ROWS,
    isSpread: true,
    isForgotten: ({ allEvents, changes }, of) => {
      const named = ofNamed(changes, of);
      const others =
        `SELECT ${EVENT} FROM ${changes} WHERE (${EVENT}) GLOBAL IN (${closed(EVENT, allEvents, of, named)})${of.within} ` +
        `AND NOT (${IS_EMPTY} AND ${HAS_FLAGS} = 0)`;
      return (
        `${IS_EMPTY} AND ${HAS_FLAGS} = 0 AND ${isDead(EVENT, allEvents, of, named)} ` +
        `AND (${EVENT}) GLOBAL NOT IN (${others})`
      );
    },
  },
  {
    table: EVALUATION_ROWS.table,
    readFrom: 'evaluations',
    slicedAs: EVALUATION_ROWS,
    isSpread: true,
    isForgotten: ({ allEvents, evaluations }, of) =>
      `is_deleted = 1 AND ${isDead(EVENT, allEvents, of, ofNamed(evaluations, of))} ` +
      `AND ${hasNoValues(EVALUATION, evaluations, of)}`,
  },
  {
    table: PAYLOAD_ROWS.table,
    readFrom: 'payloads',
    slicedAs: NARROW_ROWS,
    isForgotten: (sources, of) =>
      `is_deleted = 1 AND ${isDead(ROW, sources.events, of)} AND ${hasNoValues(ROW, sources.payloads, of)}`,
  },
  {
    table: 'event_ids',
    readFrom: 'ids',
    slicedAs: NARROW_ROWS,
    isSpread: true,
    isFirst: true,
    // The key of the first event of a session is also that of the hour of its session, by which all of its rows are found.
    isForgotten: ({ events }, of) => {
      const bySession = { ...of, within: ofSessions(of.within) };
      const ofHours = `(${HOUR}) IN (${closed(HOUR, events, bySession)}) AND ${hasNothingElseOfSession(events, bySession)}`;
      return `((event_id != session_id AND ${isDead(ROW, events, of)}) OR (event_id = session_id AND ${ofHours}))`;
    },
  },
  {
    table: NARROW_ROWS.table,
    readFrom: 'events',
    slicedAs: NARROW_ROWS,
    isForgotten: ({ events, payloads, ids, evaluations, changes }, of) => {
      const rows = closed(ROW, events, of);
      const ofEvents = closed(EVENT, events, of);
      // An update whose values are not purged yet is something, too.
      const isFlag = `${IS_EMPTY} AND ${HAS_FLAGS} != 0`;
      return [
        isOld(of.before),
        hasNothingElse(ROW, events, of),
        hasNothingElseOfSession(events, of),
        `(${HOUR}) NOT IN (SELECT ${HOUR} FROM ${ids} WHERE event_id = session_id AND (${HOUR}) IN (${closed(HOUR, events, of)}))`,
        ...[payloads, ids].map(
          (table) => `(${ROW}) NOT IN (SELECT ${ROW} FROM ${table} WHERE (${ROW}) IN (${rows})${of.within})`,
        ),
        `(${EVENT}) GLOBAL NOT IN (SELECT ${EVENT} FROM ${evaluations} WHERE is_deleted = 1 AND (${EVENT}) GLOBAL IN (${ofEvents}))`,
        `(${EVENT}) GLOBAL NOT IN (SELECT ${EVENT} FROM ${changes} WHERE NOT (${isFlag}) AND (${EVENT}) GLOBAL IN (${ofEvents}))`,
      ].join(' AND ');
    },
  },
];

/** Condition on tombstones that nothing is left to be closed by: a row that they replace would be seen again. */
function hasNoValues(key: string, from: string, { within }: Forgotten): string {
  const deleted = `SELECT ${key} FROM ${from} WHERE is_deleted = 1${within}`;
  return `(${key}) NOT IN (SELECT ${key} FROM ${from} WHERE is_deleted = 0 AND (${key}) IN (${deleted})${within})`;
}
