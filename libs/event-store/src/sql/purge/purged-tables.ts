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

/**
 * Condition on the rows of a table that hold values and that no reader sees: those with the key of a deletion whose newest row has no
 * values. Removing them changes no read, also one that ignores versions. `within` limits the rows that are looked at.
 */
export function isUnseen({ key, hasValues, isDeletion }: PurgedTable, from: string, within = ''): string {
  const deletions = `SELECT ${key} FROM ${from} WHERE ${isDeletion}${within}`;
  const seen = `SELECT ${key} FROM ${from} FINAL WHERE ${hasValues} AND (${key}) IN (${deletions})${within}`;
  return `${hasValues} AND (${key}) IN (${deletions}) AND (${key}) NOT IN (${seen})`;
}
