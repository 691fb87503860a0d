import { visible } from '../rows/visible.js';
import type { EventSchemaQuery } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import { inRuns } from '../rows/in-runs.js';
import { exactScope, hourOfNewest, isSince } from '../rows/scope.js';
import type { TableNames } from '../../schema/topology.js';

/** Fields of a response: the most frequent ones. */
export const MAX_FIELDS = 5_000;
const MAX_DATASETS = 1_000;
export const DATASET_PATH = 'metadata.dataset_id';
/** Newest events whose whole objects are read, and the largest payload among them. */
export const SAMPLED_EVENTS = 500;
const MAX_SAMPLED_BYTES = 32_768;
/** Newest rows among which the sampled events are looked for first: some are old versions, deleted or large. */
const NEWEST_ROWS = 5_000;

export interface FieldRow {
  readonly event_type: string;
  readonly event_name: string;
  readonly path: string;
}

/** An indexed field: of all events of a type, with the first of their names, or of those of one name. */
export interface IndexedFieldRow extends FieldRow {
  readonly any_name: 0 | 1;
}

/** A sampled event; objects are JSON text. */
export interface SampleRow {
  readonly event_type: string;
  readonly event_name: string;
  readonly objects: readonly (readonly [name: string, json: string])[];
  /** 1: no earlier hour was left out. */
  readonly is_whole: 0 | 1;
}

/**
 * The paths of indexed values: the most frequent ones over all events of the scope, first whatever the names of the
 * events, then by name. Otherwise thousands of names of events would leave no room for most fields. Events that have the same paths are
 * counted before their paths are taken apart: most events of a name do. The keys of a map have a column of their own, which is much
 * smaller than the map.
 */
export function fieldsQuery(tables: TableNames, projectId: string, query: EventSchemaQuery): Query {
  const binder = new Binder();
  const alike =
    'SELECT event_type, event_name, attrs.keys AS texts, nums.keys AS numbers, count() AS number ' +
    `FROM ${visible(tables.events)} ${where(tables, projectId, query, binder)} ` +
    'GROUP BY event_type, event_name, texts, numbers';
  const events =
    'SELECT event_type, event_name, toString(event_name) AS name, number, ' +
    `arrayJoin(arrayDistinct(arrayConcat(texts, numbers))) AS path FROM (${alike})`;
  return {
    sql:
      `SELECT toString(event_type) AS event_type, min(name) AS event_name, toString(path) AS path, ` +
      `toUInt8(grouping(events.event_name)) AS any_name FROM (${events}) AS events ` +
      `GROUP BY GROUPING SETS ((events.event_type, events.path), (events.event_type, events.event_name, events.path)) ` +
      `ORDER BY any_name DESC, sum(number) DESC, path, event_name, event_type LIMIT ${MAX_FIELDS} BY any_name`,
    bindings: binder.bindings,
  };
}

/** Ids of datasets, at most 1,000. */
export function datasetsQuery(tables: TableNames, projectId: string, query: EventSchemaQuery): Query {
  const binder = new Binder();
  const dataset = `attrs[${binder.text(DATASET_PATH)}]`;
  const source = `FROM ${visible(tables.events)} ${where(tables, projectId, query, binder)} AND ${dataset} != ''`;
  return {
    sql: `SELECT DISTINCT ${dataset} AS dataset ${source} ORDER BY dataset LIMIT ${MAX_DATASETS}`,
    bindings: binder.bindings,
  };
}

/** Whole objects of the newest events: long texts and lists are not indexed. With `inNewest` they are looked for among the newest rows. */
export function samplesQuery(
  tables: TableNames,
  projectId: string,
  query: EventSchemaQuery,
  inNewest: boolean,
): Query {
  const binder = new Binder();
  const scope = where(tables, projectId, query, binder);
  const hour = inNewest
    ? hourOfNewest(tables, exactScope({ projectId, ...query }, binder), NEWEST_ROWS, binder)
    : undefined;
  const names = ['metadata', 'metrics', 'feedback', 'user_properties', 'inputs', 'outputs', 'config'];
  const objects = names.map((name) => `('${name}', ${name})`).join(', ');
  const row = '(start_hour, session_id, event_id)';
  const keys =
    `SELECT start_hour, session_id, event_id FROM ${visible(tables.events)} ${scope}${hour ? ` AND ${isSince(hour)}` : ''} ` +
    `AND payload_bytes <= ${MAX_SAMPLED_BYTES} ORDER BY start_time DESC LIMIT ${SAMPLED_EVENTS}`;
  const project = `project_id = ${binder.text(projectId)}`;
  const read = (table: string) =>
    `FROM ${visible(table)} PREWHERE ${project} AND ${row} IN (SELECT * FROM keys)`;
  const sql =
    `WITH keys AS (${keys}) SELECT toString(e.event_type) AS event_type, toString(e.event_name) AS event_name, ` +
    `[${objects}] AS objects, toUInt8(${hour ? `isNull(${hour})` : '1'}) AS is_whole ` +
    `FROM (SELECT event_id, event_type, event_name, metadata, metrics, feedback, user_properties ${read(tables.events)}) AS e ` +
    `INNER JOIN (SELECT event_id, inputs, outputs, config ${read(tables.payloads)}) AS p ON e.event_id = p.event_id`;
  return { sql, bindings: binder.bindings };
}

function where(tables: TableNames, projectId: string, query: EventSchemaQuery, binder: Binder): string {
  const { scope, from, to } = query;
  const conditions = exactScope({ projectId, from, to }, binder);
  if (scope !== 'events') conditions.push(inRuns(tables, { projectId, from, to }, scope, binder));
  return `WHERE ${conditions.join(' AND ')}`;
}
