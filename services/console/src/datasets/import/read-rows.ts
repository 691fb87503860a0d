import { parseExact } from '../../api/parse-exact.js';
import { CsvReader, delimiterOf } from './csv-reader.js';
import { FileProblem } from './file-problem.js';

export type FileKind = 'csv' | 'jsonl';

/** A row of a file: its values under the names of columns, in their order. */
export interface Row {
  readonly line: number;
  readonly names: readonly string[];
  readonly values: readonly unknown[];
}

/** A row, or what is wrong with one that is left out. */
export type RowOrProblem = Row | FileProblem;

/** A file with more columns is none of datapoints. */
export const MAX_COLUMNS = 5_000;

/**
 * Reads the rows of a file piece by piece, so that no more than a piece is in memory.
 * @throws FileProblem for what no line can be read after, such as a text that is not UTF-8
 */
export async function* readRows(file: Blob, kind: FileKind): AsyncGenerator<RowOrProblem> {
  const rows: RowOrProblem[] = [];
  const push = (one: RowOrProblem) => void rows.push(one);
  let reader: { push(text: string): void; end(): void } | undefined;
  for await (const text of piecesOf(file)) {
    reader ??= kind === 'csv' ? csvRows(text, push) : new JsonLines(push);
    reader.push(text);
    yield* rows.splice(0);
  }
  reader?.end();
  yield* rows.splice(0);
}

/** The texts of a file, without a byte order mark. */
async function* piecesOf(file: Blob): AsyncGenerator<string> {
  const stream = file.stream().pipeThrough(new TextDecoderStream('utf-8', { fatal: true }));
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if ((error as { readonly name?: unknown }).name === 'TypeError')
      throw new FileProblem('the file is not UTF-8: save it as CSV in UTF-8');
    throw error;
  } finally {
    // What is left of a file that is not read to its end. Of one that failed, nothing is.
    await reader.cancel().catch(() => undefined);
  }
}

function csvRows(beginning: string, push: (one: RowOrProblem) => void): CsvReader {
  let names: readonly string[] | undefined;
  return new CsvReader(delimiterOf(beginning), ({ line, cells }) => {
    if (names === undefined) names = namesOf(cells);
    else if (cells.length !== names.length)
      push(new FileProblem(`${cellsText(cells.length)} instead of ${names.length}`, line));
    else push({ line, names, values: cells });
  });
}

const cellsText = (count: number) => (count === 1 ? '1 cell' : `${count} cells`);

/** Names of columns: one without a name, or with that of a former one, gets a name of its own. */
function namesOf(cells: readonly string[]): readonly string[] {
  if (cells.length > MAX_COLUMNS)
    throw new FileProblem(`${cells.length} columns are more than ${MAX_COLUMNS}`, 1);
  const taken = new Set<string>();
  return cells.map((cell, at) => {
    const wanted = cell.trim() === '' ? `column ${at + 1}` : cell.trim();
    let name = wanted;
    for (let nth = 2; taken.has(name); nth++) name = `${wanted} (${nth})`;
    taken.add(name);
    return name;
  });
}

/** A line of JSON that is longer holds no datapoint that the server takes. */
const MAX_LINE = 16_000_000;

/** Reads one JSON object from each line. */
class JsonLines {
  #rest = '';
  #line = 0;

  constructor(private readonly onRow: (one: RowOrProblem) => void) {}

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE)
      throw new FileProblem('the line has more than 16,000,000 characters', this.#line + 1);
    for (const line of lines) this.#read(line);
  }

  end(): void {
    this.#read(this.#rest);
  }

  #read(text: string): void {
    this.#line++;
    const trimmed = text.trim();
    if (trimmed === '') return;
    try {
      const value = parseExact(trimmed);
      if (!isObject(value)) return this.onRow(new FileProblem('not a JSON object', this.#line));
      const entries: [string, unknown][] = Object.entries(value);
      this.onRow({
        line: this.#line,
        names: entries.map(([name]) => name),
        values: entries.map(([, one]) => one),
      });
    } catch {
      this.onRow(new FileProblem('not JSON', this.#line));
    }
  }
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
