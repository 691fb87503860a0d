import type { EventShape } from '@assay/domain';
import type { Migration } from './migration.js';
import { DURABLE, tableSettings } from './table-engine.js';
import { distributed, onCluster, replicated, type Topology } from './topology.js';
import { alterView, eventsView, payloadView } from './views.js';

/** The migration from which on rows can name media. */
export const MEDIA_VERSION = 13;

/** `stored_at` is the time of the engine: all processes compare it with that. */
const COLUMNS = `
  project_id LowCardinality(String),
  hash String,
  type LowCardinality(String),
  bytes UInt64,
  content String CODEC(ZSTD(1)),
  stored_at DateTime DEFAULT now()`;

/** Rows are large: a read of one reads few others, and a part can be rewritten within the limits of the purge. */
const LARGE_ROWS = {
  index_granularity: 8,
  index_granularity_bytes: 1024 ** 2,
  max_bytes_to_merge_at_max_space_in_pool: 1024 ** 3,
} as const;

/**
 * Creates the table of media, one row for each content of a project, and the column of payload rows that names them: hashes with commas
 * between them, because a list costs more of every insert. It stays empty in the
 * narrow table, which has it because the views of the first releases select all columns.
 */
export function media(topology: Topology, shape: EventShape): Migration {
  const known = { ...shape, fields: shape.fields.filter(({ addedIn = 0 }) => addedIn < MEDIA_VERSION) };
  const table = 'media';
  const engine = replicated(topology, table, 'ReplacingMergeTree', ['stored_at']);
  const suffixes = ['', ...(topology.cluster === undefined ? [] : ['_all'])];
  const addColumn = (to: string) =>
    suffixes.map(
      (suffix) =>
        `ALTER TABLE ${topology.database}.${to}${suffix}${onCluster(topology)} ADD COLUMN IF NOT EXISTS media String`,
    );
  return {
    version: MEDIA_VERSION,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${topology.database}.${table}${onCluster(topology)} (${COLUMNS}\n)` +
        ` ENGINE = ${engine} ORDER BY (project_id, hash) SETTINGS ${tableSettings(topology, { ...LARGE_ROWS, ...DURABLE })}`,
      ...distributed(topology, table, 'hash'),
      ...['events', 'event_payloads', 'events_ingest'].flatMap(addColumn),
      alterView(topology, payloadView(topology, known)),
      alterView(topology, eventsView(topology, known)),
    ],
  };
}
