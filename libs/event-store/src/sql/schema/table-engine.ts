import { replicated, type Topology } from './topology.js';

/** The two tables that hold the rows of events. */
export type StoredTable = 'events' | 'event_payloads';

/**
 * Partition key of the tables of rows: eight partitions, so that no insert can touch more, whatever clocks
 * clients have. A function of the sort key, so that all versions of a row are in one partition (ADR 019).
 */
export const PARTITION_BY = 'least(greatest(toYear(start_at), 2025), 2032)';

/**
 * Parts are synced before an insert or a merge completes, so an acknowledged write survives a power failure.
 * The deduplication window covers every insert that a retry can follow.
 */
export const DURABLE = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
  non_replicated_deduplication_window: 1000,
  replicated_deduplication_window: 1000,
} as const;

/**
 * Each merge costs as much as the insert. Ten parts of a size are merged instead of five, and small parts
 * keep all columns in one file, because each file is written and synced separately.
 */
export const FEWER_MERGES = { merge_selector_base: 10, min_bytes_for_wide_part: 64 * 1024 ** 2 } as const;

/** Settings of a table as a list, without those that the server does not know: they save work, or sync more than its release can. */
export function tableSettings({ server }: Topology, settings: Readonly<Record<string, number>>): string {
  const known = Object.entries(settings).filter(([name]) => server?.tableSettings.has(name) ?? true);
  return known.map(([name, value]) => `${name} = ${value}`).join(', ');
}

const SORT_KEY = 'ORDER BY (project_id, start_hour, session_id, event_id)';
const GRANULARITY: Readonly<Record<StoredTable, Readonly<Record<string, number>>>> = {
  events: { index_granularity: 1024 },
  event_payloads: { index_granularity: 64, index_granularity_bytes: 67108864 },
};

/** Engine clause of a table of rows as the first release created it, under `name` and with this partition key. */
export function releasedEngine(
  topology: Topology,
  table: StoredTable,
  { name, partitionBy }: { readonly name: string; readonly partitionBy: string },
): string {
  const engine = replicated(topology, name, 'ReplacingMergeTree', ['ver', 'is_deleted']);
  const settings = tableSettings(topology, { ...GRANULARITY[table], ...DURABLE });
  return `ENGINE = ${engine} PARTITION BY ${partitionBy} ${SORT_KEY} SETTINGS ${settings}`;
}

/** Engine clause of a table of rows with all settings of later migrations. */
export function tableEngine(...args: Parameters<typeof releasedEngine>): string {
  return `${releasedEngine(...args)}, ${tableSettings(args[0], FEWER_MERGES)}`;
}
