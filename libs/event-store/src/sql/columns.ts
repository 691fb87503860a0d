import { FIRST_START, LAST_START } from '../rows/start-hour.js';

/** A start time of any client clock, within the months that partitions exist for: [2000-01-01, 2100-01-01). */
const CLAMPED_START = `fromUnixTimestamp64Milli(toInt64(greatest(toFloat64(${FIRST_START}), least(start_time, toFloat64(${LAST_START})))), 'UTC')`;

const IDENTITY = `
  project_id LowCardinality(String),
  event_id UUID,
  session_id UUID,
  start_at DateTime64(3, 'UTC') {{start_at}} CODEC(Delta(8), ZSTD(1)),
  start_hour DateTime('UTC') {{start_hour}} CODEC(Delta(4), ZSTD(1))`;

const NARROW = `
  parent_id Nullable(String),
  children_ids Array(String),
  event_type LowCardinality(String),
  event_name LowCardinality(String),
  source LowCardinality(String),
  start_time Float64,
  end_time Nullable(Float64),
  duration Nullable(Float64),
  error Nullable(String),
  origin LowCardinality(String),
  metadata String CODEC(ZSTD(1)),
  metrics String CODEC(ZSTD(1)),
  feedback String CODEC(ZSTD(1)),
  user_properties String CODEC(ZSTD(1)),
  run_id String,
  datapoint_id String,
  attrs Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  nums Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  complete Bool`;

const WIDE = `
  inputs String CODEC(ZSTD(1)),
  outputs String CODEC(ZSTD(1)),
  config String CODEC(ZSTD(1))`;

const VERSION = `
  ver UInt64,
  is_deleted UInt8`;

const stored = IDENTITY.replace('{{start_at}} ', '').replace('{{start_hour}} ', '');
const derived = IDENTITY.replace('{{start_at}}', `DEFAULT ${CLAMPED_START}`).replace(
  '{{start_hour}}',
  'DEFAULT toStartOfHour(start_at)',
);

/**
 * `path=value` of every indexed leaf; an event whose leaves are incomplete carries the item `=`, which no leaf makes, so that one
 * index look-up finds the events that match and those that must be looked at in full.
 */
const KEY_VALUES = `
  kv Array(String) ALIAS arrayConcat(
    arrayMap(leaf -> concat(leaf.1, '=', leaf.2), CAST(attrs, 'Array(Tuple(String, String))')), if(complete, [], ['=']))`;

const NARROW_INDEXES = `
  INDEX ix_event event_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_session session_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_run run_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_start start_at TYPE minmax GRANULARITY 1,
  INDEX ix_kv kv TYPE text(tokenizer = 'array')`;

export const INGEST_COLUMNS = [derived, NARROW, WIDE, VERSION].join(',');
export const EVENT_COLUMNS = [
  stored,
  NARROW,
  '\n  payload_bytes UInt64',
  VERSION,
  KEY_VALUES,
  NARROW_INDEXES,
].join(',');
export const PAYLOAD_COLUMNS = [stored, WIDE, VERSION].join(',');
/** Whether a change marks its id as deleted or moved. Few rows do, so an index on it passes over almost everything. */
export const HAS_FLAGS = 'greatest(deleted, notEmpty(moved_to))';

export const CHANGE_COLUMNS = `
  project_id LowCardinality(String),
  event_id UUID,
  patch String CODEC(ZSTD(1)),
  deleted UInt8,
  moved_to String,
  ver UInt64,
  INDEX ix_mark ${HAS_FLAGS} TYPE minmax GRANULARITY 1`;
