import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@assay/domain';
import { assign, targetsOf, type Target } from './mapping.js';
import { outOfRange } from './out-of-range.js';
import { readCsv, type CsvOptions } from './read-csv.js';
import { readJsonl } from './read-jsonl.js';
import type { Mistake, Row } from './row.js';

export interface ImportSource extends CsvOptions {
  readonly path: string;
  readonly format: 'csv' | 'jsonl';
  readonly mapping: readonly Target[];
}

/** A datapoint and where it is from. */
export interface ReadDatapoint {
  readonly line: number;
  readonly datapoint: JsonObject;
  /** Names of the columns of the row. */
  readonly columns: readonly string[];
}

/** Maximum size of a datapoint that Assay accepts. */
const MAX_DATAPOINT_BYTES = 4 * 1024 * 1024;
const PARTS = ['inputs', 'history', 'ground_truth', 'metadata'];

/** Reads the datapoints of a file in order, one at a time. @throws CliError for what concerns the whole file */
export async function* readDatapoints(source: ImportSource): AsyncGenerator<ReadDatapoint | Mistake> {
  const rows = source.format === 'csv' ? readCsv(source.path, source) : readJsonl(source.path);
  const targets = rememberLast((columns) => targetsOf(columns, source.mapping));
  for await (const row of rows) yield 'mistake' in row ? row : datapointOf(row, source, targets);
}

type TargetsOfColumns = (columns: readonly string[]) => readonly Target[];

/** The rows of a CSV file have the same columns, and comparing targets with each other takes a while for many. */
function rememberLast(targetsFor: TargetsOfColumns): TargetsOfColumns {
  let last: { readonly key: string; readonly targets: readonly Target[] } | undefined;
  return (columns) => {
    const key = JSON.stringify(columns);
    if (last?.key !== key) last = { key, targets: targetsFor(columns) };
    return last.targets;
  };
}

function datapointOf(
  row: Row,
  { format, mapping }: ImportSource,
  targets: TargetsOfColumns,
): ReadDatapoint | Mistake {
  const { line, cells } = row;
  const beyond = outOfRange(row);
  if (beyond !== undefined)
    return { line, mistake: `has a number in ${JSON.stringify(beyond)} that is out of range, such as 1e400` };
  const columns = cells.map(([column]) => column);
  const isWhole = format === 'jsonl' && mapping.length === 0 && columns.some((one) => PARTS.includes(one));
  const foreign = isWhole ? columns.find((column) => !PARTS.includes(column)) : undefined;
  if (foreign !== undefined)
    return { line, mistake: `has ${JSON.stringify(foreign)} beside ${PARTS.join(', ')}, use --map` };
  const datapoint = isWhole ? Object.fromEntries(cells) : mapped(row, targets(columns));
  const mistake = mistakeOf(datapoint);
  return mistake === undefined ? { line, datapoint, columns } : { line, mistake };
}

function mapped({ cells }: Row, targets: readonly Target[]): JsonObject {
  const datapoint: JsonObject = {};
  for (const [index, [, value]] of cells.entries()) assign(datapoint, targets[index]?.path ?? [], value);
  return datapoint;
}

function mistakeOf(datapoint: JsonObject): string | undefined {
  const { inputs = {}, history = [], ground_truth: truth = null, metadata = null } = datapoint;
  if (!isJsonObject(inputs)) return 'has inputs that are not an object';
  if (!Array.isArray(history) || !history.every(isJsonObject))
    return 'has a history that is not a list of objects';
  if (truth !== null && !isJsonObject(truth)) return 'has a ground_truth that is not an object, use --map';
  if (metadata !== null && !isJsonObject(metadata)) return 'has metadata that are not an object';
  const isLarge = Buffer.byteLength(JSON.stringify(datapoint)) > MAX_DATAPOINT_BYTES;
  return isLarge ? 'makes a datapoint of more than 4 MB' : undefined;
}

/**
 * Returns the id of a datapoint: the same for the same content at the same position of a file, so that a repeated import
 * adds what is missing only.
 */
export function datapointId(datasetId: string, position: number, datapoint: JsonObject): string {
  const hash = createHash('sha256').update(JSON.stringify([datasetId, position, datapoint]));
  return hash.digest('hex').slice(0, 24);
}
