import { HAS_FLAGS } from '../schema/columns.js';
import type { TableNames } from '../schema/topology.js';

/** A table that holds values of events. */
export interface PurgedTable {
  /** Its name in the database. */
  readonly table: string;
  /** The name under which reads know it. */
  readonly readFrom: keyof TableNames;
  /** Columns by which rows replace each other. */
  readonly key: string;
  /** Those of them by which tombstones of events say when a row was deleted. */
  readonly deletionKey: string;
  /** Rows that hold values. */
  readonly hasValues: string;
  /** Rows that replace those of a deleted event permanently. */
  readonly isDeletion: string;
  /** Rows of which there can be many that have to be compared with others. */
  readonly deletes: string;
  /** Whether its key begins with the project and the hour of the start. */
  readonly hasHour: boolean;
  /** Whether its rows belong to narrow rows, which can lack. */
  readonly isPayload?: true;
}

const ROW_KEY = 'project_id, start_hour, session_id, event_id';
const EVENT_KEY = 'project_id, event_id';

const IS_TOMBSTONE = {
  hasValues: 'is_deleted = 0',
  isDeletion: 'is_deleted = 1',
  deletes: 'is_deleted = 1',
} as const;

export const NARROW_ROWS: PurgedTable = {
  table: 'events',
  readFrom: 'events',
  key: ROW_KEY,
  deletionKey: ROW_KEY,
  ...IS_TOMBSTONE,
  hasHour: true,
};

export const PAYLOAD_ROWS: PurgedTable = {
  ...NARROW_ROWS,
  table: 'event_payloads',
  readFrom: 'payloads',
  isPayload: true,
};

export const EVALUATION_ROWS: PurgedTable = {
  table: 'evaluations',
  readFrom: 'evaluations',
  key: 'project_id, event_id, metric_id, metric_version',
  deletionKey: EVENT_KEY,
  ...IS_TOMBSTONE,
  hasHour: false,
};

export const CHANGE_ROWS: PurgedTable = {
  table: 'event_changes',
  readFrom: 'changes',
  key: EVENT_KEY,
  deletionKey: EVENT_KEY,
  hasValues: `patch NOT IN ('', '{}')`,
  isDeletion: `patch IN ('', '{}')`,
  // Events are deleted in another table, and of these only those count whose ids are here.
  deletes: '1 = 1',
  hasHour: false,
};

export const PURGED_TABLES: readonly PurgedTable[] = [
  NARROW_ROWS,
  PAYLOAD_ROWS,
  EVALUATION_ROWS,
  CHANGE_ROWS,
];

/** The tables that say which rows a reader sees: `from` is the table itself. */
export interface PurgeSources extends Pick<TableNames, 'events' | 'changes'> {
  readonly from: string;
}

/**
 * Condition on the rows of a table that hold values and that no reader sees: those with the key of a deletion whose newest row has no
 * values, and payloads without a row. Removing them changes no read, also one that ignores versions. `within` limits the rows that are
 * looked at.
 */
export function isUnseen(table: PurgedTable, sources: PurgeSources, within = ''): string {
  const { key, hasValues, isPayload } = table;
  const { events, from } = sources;
  const isClosed = hasDeletion(table, from, within);
  const seen = `SELECT ${key} FROM ${from} FINAL WHERE ${hasValues} AND ${isClosed}${within}`;
  const isReplaced = `${isClosed} AND (${key}) NOT IN (${seen})`;
  if (!isPayload) return `${hasValues} AND ${isReplaced}`;
  const rows = `SELECT ${ROW_KEY} FROM ${events} WHERE is_deleted = 0 AND ${isOfDeleted(sources)}${within}`;
  return `${hasValues} AND (${isReplaced} OR (${isOfDeleted(sources)} AND (${ROW_KEY}) NOT IN (${rows})))`;
}

/** Condition that holds for the rows of {@link isUnseen}, and for rows that a reader sees: a quarter of the work. */
export function mayBeUnseen(table: PurgedTable, sources: PurgeSources, within = ''): string {
  const isClosed = hasDeletion(table, sources.from, within);
  const condition = table.isPayload ? `(${isClosed} OR ${isOfDeleted(sources)})` : isClosed;
  return `${table.hasValues} AND ${condition}`;
}

/** Condition on rows with the key of a deletion. */
function hasDeletion({ key, isDeletion }: PurgedTable, from: string, within: string): string {
  return `(${key}) IN (SELECT ${key} FROM ${from} WHERE ${isDeletion}${within})`;
}

/**
 * Condition on rows of events and sessions that are deleted. Nothing of these is stored again, so a payload without a row was left by a
 * process that was killed before it wrote the row, which was written to another location afterwards.
 */
function isOfDeleted({ changes }: PurgeSources): string {
  const deleted = `SELECT project_id, event_id FROM ${changes} WHERE ${HAS_FLAGS} AND deleted = 1`;
  return `((project_id, event_id) GLOBAL IN (${deleted}) OR (project_id, session_id) GLOBAL IN (${deleted}))`;
}
