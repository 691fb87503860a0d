import type { EventShape, FieldType, NamedField } from '@assay/domain';
import { FIRST_START, LAST_START } from '@assay/event-rows';

/** A start time of any client clock, within the years that a sort key can hold: [2000-01-01, 2100-01-01). */
const CLAMPED_START = `fromUnixTimestamp64Milli(toInt64(greatest(toFloat64(${FIRST_START}), least(start_time, toFloat64(${LAST_START})))), 'UTC')`;

/** Column types of the field types. */
const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  uuid: 'UUID',
  text: 'LowCardinality(String)',
  textOrNull: 'Nullable(String)',
  textList: 'Array(String)',
  number: 'Float64',
  numberOrNull: 'Nullable(Float64)',
  object: 'String CODEC(ZSTD(1))',
};

/** Fields that locate a row; their columns precede the others in every table. */
const LOCATION: readonly string[] = ['project_id', 'event_id', 'session_id'];

/** Definition of a field's column, such as `duration Nullable(Float64)`. */
export function columnOf({ name, type }: NamedField): string {
  return `${name} ${COLUMN_TYPES[type]}`;
}

/** Fields of a shape by the table whose columns hold them: `location` in both. */
export function fieldsByTable({ fields }: EventShape) {
  const others = fields.filter(({ name }) => !LOCATION.includes(name));
  const isObject = ({ type }: NamedField) => type === 'object';
  const narrow = others.filter(({ payload }) => !payload);
  return {
    location: fields.filter(({ name }) => LOCATION.includes(name)),
    narrow: [...narrow.filter((field) => !isObject(field)), ...narrow.filter(isObject)],
    payload: others.filter(({ payload }) => payload),
  };
}

const DERIVED = `
  run_id String,
  datapoint_id String,
  attrs Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  nums Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  complete Bool`;

const VERSION = `
  ver UInt64,
  is_deleted UInt8`;

const START_COLUMNS = [`start_at DateTime64(3, 'UTC')`, `start_hour DateTime('UTC')`];
const START_DEFAULTS = [` DEFAULT ${CLAMPED_START}`, ' DEFAULT toStartOfHour(start_at)'];
const START_CODECS = [' CODEC(Delta(8), ZSTD(1))', ' CODEC(Delta(4), ZSTD(1))'];

/**
 * `path=value` of every indexed leaf; an event with incomplete leaves has the item `=`, which no leaf
 * produces. One index look-up then finds the matching events and those that must be evaluated on the stored
 * values.
 */
const KEY_VALUES = `
  kv Array(String) ALIAS arrayConcat(
    arrayMap(leaf -> concat(leaf.1, '=', leaf.2), CAST(attrs, 'Array(Tuple(String, String))')), if(complete, [], ['=']))`;

const NARROW_INDEXES = `
  INDEX ix_event event_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_session session_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_run run_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_start start_at TYPE minmax GRANULARITY 1`;

/** Columns of the tables in the first migration, those of the fields of the first release, with this index of the leaves. */
export function tableColumns(shape: EventShape, keyValueIndex: string) {
  const released = { ...shape, fields: shape.fields.filter(({ addedIn }) => addedIn === undefined) };
  const { location, narrow, payload } = fieldsByTable(released);
  const stored = [...lines(location.map(columnOf)), ...lines(startColumns(['', '']))];
  const computed = [...lines(location.map(columnOf)), ...lines(startColumns(START_DEFAULTS))];
  const [narrowColumns, payloadColumns] = [lines(narrow.map(columnOf)), lines(payload.map(columnOf))];
  return {
    ingest: [...computed, ...narrowColumns, DERIVED, ...payloadColumns, VERSION].join(','),
    events: [
      ...stored,
      ...narrowColumns,
      DERIVED,
      '\n  payload_bytes UInt64',
      VERSION,
      KEY_VALUES,
      `${NARROW_INDEXES},\n  INDEX ${keyValueIndex}`,
    ].join(','),
    payloads: [...stored, ...payloadColumns, VERSION].join(','),
  };
}

function startColumns(defaults: readonly string[]): string[] {
  return START_COLUMNS.map((column, index) => column + defaults[index] + START_CODECS[index]);
}

function lines(columns: readonly string[]): string[] {
  return columns.map((column) => `\n  ${column}`);
}

/** Whether changes have a flag: deleted or moved. Few do, so that an index on it skips almost all rows. */
export const HAS_FLAGS = 'greatest(deleted, notEmpty(moved_to))';

export const CHANGE_COLUMNS = `
  project_id LowCardinality(String),
  event_id UUID,
  patch String CODEC(ZSTD(1)),
  deleted UInt8,
  moved_to String,
  ver UInt64,
  INDEX ix_mark ${HAS_FLAGS} TYPE minmax GRANULARITY 1`;
