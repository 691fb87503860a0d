import { pipeline } from 'node:stream/promises';
import { parseExactJson, type JsonValue } from '@assay/domain';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../cli-error.js';
import { readText } from './read-text.js';
import { MAX_ROW_BYTES, type Mistake, type Row } from './row.js';

export interface CsvOptions {
  readonly delimiter: string;
  /** Whether a cell that is a JSON number, `true`, `false`, `null`, object or list has this value. */
  readonly hasJsonValues: boolean;
}

/** Reasons of a record that cannot be read, by the code of the parser, which names the line. */
const REASONS: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text behind a closing quote; a quote within a value is written twice',
  INVALID_OPENING_QUOTE:
    'has a quote within a value that does not begin with one; quote the value and write the quote twice',
};
/** The same, where the parser has read on to a later line. */
const REASONS_OF_NEXT_ROW: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_MAX_RECORD_SIZE: 'has more than 16 MB, perhaps because a quote is not closed',
};

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Reads the rows of a file whose first row names the columns. Empty lines and rows without a value are skipped. */
export async function* readCsv(path: string, options: CsvOptions): AsyncGenerator<Row | Mistake> {
  let columns: readonly string[] | undefined;
  for await (const { line, cells } of recordsOf(path, options)) {
    if (cells.every((cell) => cell === '')) continue;
    if (columns) yield rowOf(columns, { line, cells }, options);
    else columns = columnsOf(cells, line);
  }
}

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

async function* recordsOf(path: string, { delimiter }: CsvOptions): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    info: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
    // The kinds of line ends may be mixed.
    recordDelimiter: ['\r\n', '\n', '\r'],
    maxRecordSize: MAX_ROW_BYTES,
  });
  // The iteration below throws what the pipeline rejects with.
  pipeline(readText(path), parser).catch(() => undefined);
  // The parser counts a CRLF within a value as two lines.
  let [surplus, last] = [0, 0];
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const text = record.join('');
      yield { line: info.lines - surplus - count(text, /[\r\n]/g), cells: record };
      surplus += count(text, /\r\n/g);
      last = info.lines - surplus;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CliError(reasonOf(error, { surplus, last }));
  }
}

function reasonOf(error: CsvError, { surplus, last }: { surplus: number; last: number }): string {
  const reason = REASONS_OF_NEXT_ROW[error.code];
  if (reason !== undefined) return `the row behind line ${last} ${reason}`;
  const line = typeof error.lines === 'number' ? error.lines - surplus : last + 1;
  return `line ${line} ${REASONS[error.code] ?? 'is not valid CSV'}`;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function columnsOf(cells: readonly string[], line: number): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  const unnamed = columns.indexOf('');
  if (unnamed !== -1) throw new CliError(`column ${unnamed + 1} has no name in line ${line}`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw new CliError(`two columns have the name ${JSON.stringify(twice)}`);
  return columns;
}

function rowOf(
  columns: readonly string[],
  { line, cells }: CsvRecord,
  { hasJsonValues }: CsvOptions,
): Row | Mistake {
  if (cells.length !== columns.length)
    return { line, mistake: `has ${cells.length} values for ${columns.length} columns` };
  const valueOf = hasJsonValues ? jsonValueOf : (cell: string) => cell;
  return { line, cells: columns.map((column, index) => [column, valueOf(cells[index] ?? '')] as const) };
}

/** A cell that is not JSON stays a text. */
function jsonValueOf(cell: string): JsonValue {
  try {
    const value = parseExactJson(cell);
    return typeof value === 'string' ? cell : value;
  } catch {
    return cell;
  }
}
