import type { Migration } from './migration.js';
import { DURABLE, tableSettings } from './table-engine.js';
import { distributed, onCluster, replicated, type Topology } from './topology.js';

const COLUMNS = `
  project_id LowCardinality(String),
  event_id UUID,
  metric_id String,
  metric_version String,
  metric_name LowCardinality(String),
  decision LowCardinality(String),
  reason String CODEC(ZSTD(1)),
  value String CODEC(ZSTD(1)),
  explanation String CODEC(ZSTD(1)),
  error_class LowCardinality(String),
  duration_ms Float64,
  cost Float64,
  prompt_tokens UInt64,
  completion_tokens UInt64,
  attempts UInt8,
  fingerprint String,
  decided_at Float64,
  log_partition UInt32,
  ver UInt64,
  is_deleted UInt8,
  INDEX ix_pending decision TYPE set(16) GRANULARITY 4,
  INDEX ix_metric metric_id TYPE bloom_filter(0.01) GRANULARITY 4`;

/** Creates the table of evaluations: one row for each event, metric and version of the metric. */
export function evaluations(topology: Topology): Migration {
  const table = 'evaluations';
  const engine = replicated(topology, table, 'ReplacingMergeTree', ['ver', 'is_deleted']);
  return {
    version: 8,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${topology.database}.${table}${onCluster(topology)} (${COLUMNS}\n)` +
        ` ENGINE = ${engine} ORDER BY (project_id, event_id, metric_id, metric_version) SETTINGS ${tableSettings(topology, { index_granularity: 1024, ...DURABLE })}`,
      ...distributed(topology, table, 'event_id'),
    ],
  };
}

/** Adds the job that has asked for an evaluation; null in rows of earlier releases. */
export function evaluationJobs(topology: Topology): Migration {
  const suffixes = ['', ...(topology.cluster === undefined ? [] : ['_all'])];
  return {
    version: 9,
    statements: suffixes.map(
      (suffix) =>
        `ALTER TABLE ${topology.database}.evaluations${suffix}${onCluster(topology)} ` +
        'ADD COLUMN IF NOT EXISTS job_id LowCardinality(Nullable(String))',
    ),
  };
}
