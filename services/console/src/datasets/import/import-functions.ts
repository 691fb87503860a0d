import { jsonText } from '../../format/json-text.js';
import { datapointJson, likelyRole, type Role } from './datapoint-rows.js';
import { FileProblem } from './file-problem.js';
import { MAX_COLUMNS, readRows, type FileKind, type Row, type RowOrProblem } from './read-rows.js';

export interface FileRequest {
  readonly file: Blob;
  readonly kind: FileKind;
}

/** What a file contains, after all of it was read once. */
export interface Inspection {
  readonly rows: number;
  readonly columns: readonly InspectedColumn[];
  /** The first rows as text, in the order of the columns. */
  readonly sample: readonly (readonly string[])[];
  /** The first lines that are left out, and why. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

export interface InspectedColumn {
  readonly name: string;
  /** Rows that have a value in it. */
  readonly found: number;
  readonly role: Role;
}

export interface ImportRequest extends FileRequest {
  readonly roles: readonly (readonly [string, Role])[];
  /** 16 hexadecimal digits: ids of datapoints begin with them, so that a batch that is sent twice adds nothing twice. */
  readonly key: string;
}

/** Datapoints of one request. */
export interface ImportBatch {
  /** Body of the request. */
  readonly body: string;
  readonly rows: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

const SAMPLE = 5;
const MAX_PROBLEMS = 100;
const MAX_SAMPLE_TEXT = 200;
const MAX_BATCH_ROWS = 500;
const MAX_BATCH_CHARACTERS = 500_000;

/** What the worker of imports does for the page. The file stays in the worker, a piece at a time. */
export class ImportFunctions {
  #datapoints: AsyncGenerator<Datapoint, undefined> | undefined;
  #next: Datapoint | undefined;

  /** Reads all of the file. @throws FileProblem for a file that cannot be read */
  readonly inspect = async ({ file, kind }: FileRequest): Promise<Inspection> => {
    const columns = new Map<string, number>();
    const first: Row[] = [];
    const problems: string[] = [];
    let [rows, problemCount] = [0, 0];
    for await (const row of readRows(file, kind)) {
      if (row instanceof FileProblem) {
        problemCount++;
        if (problems.length < MAX_PROBLEMS) problems.push(row.message);
        continue;
      }
      rows++;
      if (first.length < SAMPLE) first.push(row);
      count(row, columns);
    }
    const names = [...columns.keys()];
    return {
      ...{ rows, problems, problemCount },
      columns: names.map((name) => ({ name, found: columns.get(name) ?? 0, role: likelyRole(name) })),
      sample: first.map((row) => names.map((name) => sampleText(row, name))),
    };
  };

  /** Begins again to make datapoints of the rows. */
  readonly begin = ({ file, kind, roles, key }: ImportRequest): Promise<void> => {
    this.#datapoints = datapointsOf(readRows(file, kind), new Map(roles), key);
    this.#next = undefined;
    return Promise.resolve();
  };

  /** Returns the next datapoints; undefined at the end. */
  readonly batch = async (_request: object): Promise<ImportBatch | undefined> => {
    const datapoints = this.#datapoints;
    if (datapoints === undefined) throw new FileProblem('the file has to be chosen again');
    const taken: Datapoint[] = [];
    let characters = 0;
    for (;;) {
      const next = this.#next ?? (await datapoints.next()).value;
      this.#next = undefined;
      if (next === undefined) break;
      const isFull = taken.length >= MAX_BATCH_ROWS || characters + next.json.length > MAX_BATCH_CHARACTERS;
      if (isFull && taken.length > 0) {
        this.#next = next;
        break;
      }
      taken.push(next);
      characters += next.json.length;
    }
    const [first, last] = [taken[0], taken.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return {
      body: `{"datapoints":[${taken.map(({ json }) => json).join(',')}]}`,
      ...{ rows: taken.length, firstLine: first.line, lastLine: last.line },
    };
  };
}

interface Datapoint {
  readonly line: number;
  readonly json: string;
}

async function* datapointsOf(
  rows: AsyncGenerator<RowOrProblem>,
  roles: ReadonlyMap<string, Role>,
  key: string,
): AsyncGenerator<Datapoint, undefined> {
  let nth = 0;
  for await (const row of rows) {
    if (row instanceof FileProblem) continue;
    const id = `${key}${(nth++).toString(16).padStart(8, '0')}`;
    yield { line: row.line, json: datapointJson(row, roles, id) };
  }
  return undefined;
}

function count({ line, names, values }: Row, columns: Map<string, number>): void {
  names.forEach((name, at) => {
    const hasValue = values[at] !== '' && values[at] !== null;
    columns.set(name, (columns.get(name) ?? 0) + Number(hasValue));
  });
  if (columns.size > MAX_COLUMNS)
    throw new FileProblem(`the objects have more than ${MAX_COLUMNS} different names`, line);
}

function sampleText({ names, values }: Row, name: string): string {
  const value = values[names.indexOf(name)];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.slice(0, MAX_SAMPLE_TEXT);
  return jsonText(value).slice(0, MAX_SAMPLE_TEXT);
}
