import type { JsonObject } from '@assay/domain';
import { CliError } from '../cli-error.js';
import type { Output } from '../output.js';
import { readDatapoints, type ImportSource } from './datapoints.js';
import { assertKnown } from './mapping.js';

export interface CheckedFile {
  readonly rows: number;
  /** The first datapoints. */
  readonly examples: readonly JsonObject[];
}

const MAX_EXAMPLES = 3;
/** Mistakes that are printed; the others are counted. */
const MAX_PRINTED = 20;
/** Different keys of the objects of a file that are remembered. */
const MAX_COLUMNS = 1_000;

/** Reads the whole file before anything is sent. @throws CliError for a mistake in any row, after the mistakes are printed */
export async function checkFile(source: ImportSource, output: Output): Promise<CheckedFile> {
  const columns = new Set<string>();
  const examples: JsonObject[] = [];
  let [rows, mistakes] = [0, 0];
  for await (const one of readDatapoints(source)) {
    rows += 1;
    if ('mistake' in one) {
      mistakes += 1;
      if (mistakes <= MAX_PRINTED) output.progress(`line ${one.line} ${one.mistake}`);
      continue;
    }
    if (examples.length < MAX_EXAMPLES) examples.push(one.datapoint);
    for (const column of one.columns) if (columns.size < MAX_COLUMNS) columns.add(column);
  }
  if (mistakes > MAX_PRINTED) output.progress(`… and ${mistakes - MAX_PRINTED} further lines`);
  if (mistakes > 0) throw new CliError(`${mistakes} of ${rows} rows have a mistake, nothing was stored`);
  if (rows === 0) throw new CliError('FILE has no rows');
  if (columns.size < MAX_COLUMNS) assertKnown([...columns], source.mapping);
  return { rows, examples };
}
