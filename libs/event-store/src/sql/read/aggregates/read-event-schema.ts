import { isJsonObject, type JsonValue } from '@assay/domain';
import type { EventSchemaQuery, StoredEventSchema, StoredField } from '../../../aggregates-port.js';
import type { QueryRunner } from '../../engine/engine.js';
import {
  DATASET_PATH,
  datasetsQuery,
  fieldsQuery,
  MAX_FIELDS,
  SAMPLED_EVENTS,
  samplesQuery,
  type FieldRow,
  type IndexedFieldRow,
  type SampleRow,
} from './event-schema-query.js';
import type { TableNames } from '../../schema/topology.js';

/** Objects within objects whose keys are fields. */
const MAX_DEPTH = 8;
const MAX_PATH_LENGTH = 1_000;

/**
 * Reads which fields events have: those of the index, then those of sampled events, each once for a type of event, then
 * both for the other names of events.
 */
export async function readEventSchema(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: EventSchemaQuery,
): Promise<StoredEventSchema> {
  const [indexed, samples] = await Promise.all([
    runner.query<IndexedFieldRow>(fieldsQuery(tables, projectId, query)),
    readSamples(runner, tables, projectId, query),
  ]);
  const datasets = mayNameDatasets(indexed)
    ? await runner.query<{ dataset: string }>(datasetsQuery(tables, projectId, query))
    : [];
  const fields = new Map<string, StoredField>();
  const add = ({ event_type: eventType, event_name: eventName, path }: FieldRow) => {
    const key = JSON.stringify([eventType, eventName, path]);
    if (fields.size < MAX_FIELDS && !fields.has(key)) fields.set(key, { name: path, eventType, eventName });
  };
  const known = new Set<string>();
  const addOncePerType = (row: FieldRow) => {
    const key = JSON.stringify([row.event_type, row.path]);
    if (fields.size === MAX_FIELDS || known.has(key)) return;
    known.add(key);
    add(row);
  };
  indexed.filter((row) => row.any_name === 1).forEach(addOncePerType);
  for (const row of sampledFields(samples)) addOncePerType(row);
  indexed.filter((row) => row.any_name === 0).forEach(add);
  for (const row of sampledFields(samples)) add(row);
  return { fields: [...fields.values()], datasets: datasets.map(({ dataset }) => dataset) };
}

/** Among all rows only when the newest ones are too few. */
async function readSamples(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: EventSchemaQuery,
): Promise<SampleRow[]> {
  const read = (inNewest: boolean) =>
    runner.query<SampleRow>(samplesQuery(tables, projectId, query, inNewest));
  const newest = query.scope === 'events' ? await read(true) : [];
  return newest.length === SAMPLED_EVENTS || newest[0]?.is_whole === 1 ? newest : read(false);
}

/** Of more fields than are read, that of datasets may be one. */
function mayNameDatasets(indexed: readonly IndexedFieldRow[]): boolean {
  const ofTypes = indexed.filter((row) => row.any_name === 1);
  return ofTypes.length === MAX_FIELDS || ofTypes.some(({ path }) => path === DATASET_PATH);
}

function* sampledFields(samples: readonly SampleRow[]): Generator<FieldRow> {
  for (const { event_type, event_name, objects } of samples)
    for (const [name, json] of objects)
      for (const path of pathsOf(json === '' ? {} : (JSON.parse(json) as JsonValue), name, MAX_DEPTH))
        yield { event_type, event_name, path };
}

/** Paths of all values that are not objects; objects that are nested too deeply count as values. */
function* pathsOf(value: JsonValue, path: string, depth: number): Generator<string> {
  if (path.length > MAX_PATH_LENGTH) return;
  if (!isJsonObject(value) || depth === 0) {
    if (value !== null && path.includes('.')) yield path;
    return;
  }
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, `${path}.${key}`, depth - 1);
}
