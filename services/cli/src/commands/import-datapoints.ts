import { InvalidArgumentError, Option, type Command } from 'commander';
import { CliError } from '../cli-error.js';
import { checkFile } from '../import/check-file.js';
import type { ImportSource } from '../import/datapoints.js';
import { findDataset } from '../import/find-dataset.js';
import { readMapping, type Target } from '../import/mapping.js';
import { assertFile } from '../import/read-text.js';
import { sendDatapoints } from '../import/send-datapoints.js';
import type { CommandContext } from './command-context.js';

interface ImportOptions {
  readonly dataset: string;
  readonly map: readonly Target[];
  readonly format?: 'csv' | 'jsonl';
  readonly delimiter: string;
  readonly jsonValues?: boolean;
  readonly create?: boolean;
  readonly dryRun?: boolean;
}

const EXIT_USAGE = 2;
const FORMATS = { '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' } as const;
const PROGRESS_EVERY_MS = 1_000;

export function addImportDatapoints(program: Command, context: CommandContext): void {
  program
    .command('import-datapoints <file>')
    .description('adds the rows of a CSV or JSONL file to a dataset (needs ASSAY_API_KEY)')
    .requiredOption('--dataset <name-or-id>', 'the dataset')
    .option(
      '--map <column=target>',
      'where a column goes: inputs.NAME, ground_truth.NAME, metadata.NAME or history; repeatable',
      readMapping,
      [],
    )
    .addOption(new Option('--format <format>', 'by default that of the file name').choices(['csv', 'jsonl']))
    .option('--delimiter <character>', 'between the values of a CSV row, or `tab`', readDelimiter, ',')
    .option('--json-values', 'reads values of CSV that are JSON numbers, booleans, null, objects and lists')
    .option('--create', 'creates the dataset if there is none of this name')
    .option('--dry-run', 'only checks the file and prints its first datapoints')
    .action((file: string, options: ImportOptions) => importFile(context, file, options));
}

async function importFile({ api, output }: CommandContext, path: string, options: ImportOptions) {
  assertFile(path);
  const source: ImportSource = {
    ...{ path, format: options.format ?? formatOf(path), mapping: options.map },
    ...{ delimiter: options.delimiter, hasJsonValues: options.jsonValues === true },
  };
  const { rows, examples } = await checkFile(source, output);
  if (options.dryRun === true) {
    const lines = examples.map((datapoint) => JSON.stringify(datapoint));
    output.result({ rows, datapoints: examples }, () => [
      `${rows} datapoints, nothing was stored; the first ones:`,
      ...lines,
    ]);
    return;
  }
  const client = api();
  const { id, isCreated } = await findDataset(client, options.dataset, options.create === true);
  let printed = Date.now();
  const sent = await sendDatapoints(client, source, {
    datasetId: id,
    onBatch: ({ added, present }) => {
      if (Date.now() - printed < PROGRESS_EVERY_MS) return;
      printed = Date.now();
      output.progress(`${added + present} of ${rows} datapoints`);
    },
  });
  output.result({ dataset_id: id, created: isCreated, rows, ...sent }, () => [
    `${isCreated ? 'created dataset' : 'dataset'} ${id}`,
    `added ${sent.added} datapoints${sent.present > 0 ? `, ${sent.present} were there already` : ''}`,
  ]);
}

function formatOf(path: string): ImportSource['format'] {
  const [, format] = Object.entries(FORMATS).find(([end]) => path.toLowerCase().endsWith(end)) ?? [];
  if (format) return format;
  throw new CliError('set --format to csv or jsonl, the name of FILE has no known end', EXIT_USAGE);
}

function readDelimiter(text: string): string {
  const delimiter = text === 'tab' ? '\t' : text;
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter))
    throw new InvalidArgumentError('must be one character, or `tab`.');
  return delimiter;
}
