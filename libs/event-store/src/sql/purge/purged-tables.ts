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
  /** Whether its rows belong to narrow rows, which can lack: see {@link isOrphan}. */
  readonly isPayload?: true;
}

const ROW_KEY = 'project_id, start_hour, session_id, event_id';
const EVENT_KEY = 'project_id, event_id';

export const PURGED_TABLES: readonly PurgedTable[] = [
  ...(['events', 'payloads'] as const).map((readFrom) => ({
    table: readFrom === 'events' ? 'events' : 'event_payloads',
    readFrom,
    key: ROW_KEY,
    deletionKey: ROW_KEY,
    hasValues: 'is_deleted = 0',
    isDeletion: 'is_deleted = 1',
    ...(readFrom === 'payloads' && { isPayload: true as const }),
  })),
  {
    table: 'evaluations',
    readFrom: 'evaluations',
    key: 'project_id, event_id, metric_id, metric_version',
    deletionKey: EVENT_KEY,
    hasValues: 'is_deleted = 0',
    isDeletion: 'is_deleted = 1',
  },
  {
    table: 'event_changes',
    readFrom: 'changes',
    key: EVENT_KEY,
    deletionKey: EVENT_KEY,
    hasValues: `patch NOT IN ('', '{}')`,
    isDeletion: `patch IN ('', '{}')`,
  },
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
  const { key, hasValues, isDeletion, isPayload } = table;
  const { from } = sources;
  const deletions = `SELECT ${key} FROM ${from} WHERE ${isDeletion}${within}`;
  const seen = `SELECT ${key} FROM ${from} FINAL WHERE ${hasValues} AND (${key}) IN (${deletions})${within}`;
  const isReplaced = `(${key}) IN (${deletions}) AND (${key}) NOT IN (${seen})`;
  return `${hasValues} AND (${isReplaced}${isPayload ? ` OR (${isOrphan(sources, within)})` : ''})`;
}

/**
 * Condition on payloads of deleted events that a process left when it was killed before it wrote the narrow row, and that was written
 * to another location afterwards. Nothing of a deleted event or session is stored again.
 */
function isOrphan({ events, changes }: PurgeSources, within: string): string {
  const deleted = `SELECT project_id, event_id FROM ${changes} WHERE ${HAS_FLAGS} AND deleted = 1`;
  const ofDeleted = `((project_id, event_id) GLOBAL IN (${deleted}) OR (project_id, session_id) GLOBAL IN (${deleted}))`;
  const rows = `SELECT ${ROW_KEY} FROM ${events} WHERE is_deleted = 0 AND ${ofDeleted}${within}`;
  return `${ofDeleted} AND (${ROW_KEY}) NOT IN (${rows})`;
}
