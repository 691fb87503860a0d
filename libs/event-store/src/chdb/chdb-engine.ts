import { drainPending } from 'chdb';
import {
  insertStatement,
  literal,
  readSettings,
  type Insert,
  type Query,
  type QueryLimits,
  type SqlEngine,
} from '../sql/engine/engine.js';
import { commandFailure, insertFailure, queryFailure } from '../sql/engine/engine-failure.js';
import { InsertFiles } from './insert-files.js';
import { openChdbConnection, type ChdbConnection } from './chdb-connection.js';
import { StatementGate } from './statement-gate.js';

export interface ChdbEngineOptions {
  /** Folder of the data. A process has one engine, so all its stores share one folder. */
  readonly dir: string;
  readonly readers: number;
  readonly limits: QueryLimits;
}

/**
 * The engine in this process. A connection runs one statement at a time, so one writes and a few read.
 * Settings given to a client would stay on its connection: readers get theirs once, when they are opened, and
 * inserts carry theirs in the statement. Statements run on threads of the engine; the event loop hands bytes
 * over and takes rows.
 */
export class ChdbEngine implements SqlEngine {
  readonly #links: readonly ChdbConnection[];
  readonly #writer: StatementGate<ChdbConnection>;
  readonly #readers: StatementGate<ChdbConnection>;
  readonly #files: InsertFiles;
  readonly #ready: Promise<void>;
  #closing: Promise<void> | undefined;

  constructor({ dir, readers, limits }: ChdbEngineOptions) {
    this.#links = Array.from({ length: readers + 1 }, () => openChdbConnection(dir));
    const [writer, ...others] = this.#links;
    this.#writer = new StatementGate(writer === undefined ? [] : [writer]);
    this.#readers = new StatementGate(others);
    this.#files = new InsertFiles(dir);
    this.#ready = prepareReaders(others, limits);
    // A failure to prepare is reported by the first read.
    this.#ready.catch(() => undefined);
  }

  async command(sql: string): Promise<void> {
    await this.#writer.run(({ client }) => client.command({ query: sql }).catch(rethrow(commandFailure)));
  }

  /** JSON goes along in the statement. Bytes cannot, so they are handed over in a file. */
  async insert({ parts, ...insert }: Insert): Promise<void> {
    await this.#writer.run(async ({ connection }) => {
      try {
        if (insert.format === 'JSONEachRow')
          await connection.chdb.rawInsert({ ...insert, format: insert.format, values: Buffer.concat(parts) });
        else
          await this.#files.acquire(parts, (path) =>
            connection.chdb.queryAsync(insertStatement(insert, ` FROM INFILE ${literal(path)}`)),
          );
      } catch (error) {
        throw insertFailure(error);
      }
    });
  }

  async query<Row>({ sql, bindings }: Query): Promise<Row[]> {
    return this.#readers.run(async ({ client }) => {
      try {
        await this.#ready;
        const result = await client.query({
          query: sql,
          query_params: { ...bindings },
          format: 'JSONEachRow',
        });
        return await result.json<Row>();
      } catch (error) {
        throw queryFailure(error);
      }
    });
  }

  async stream<Row>({ sql }: Query, onRows: (rows: readonly Row[]) => void): Promise<void> {
    await this.#readers.run(async ({ connection }) => {
      try {
        await this.#ready;
        for await (const chunk of connection.chdb.queryStream(sql, { format: 'JSONEachRow' }))
          onRows(chunk.rows<Row>());
      } catch (error) {
        throw queryFailure(error);
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#drainAndClose();
    return this.#closing;
  }

  /** A connection that is closed under a running statement would end the engine for the whole process. */
  async #drainAndClose(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#readers.close(), this.#ready.catch(() => undefined)]);
    await Promise.all(this.#links.map(({ client }) => client.close()));
    await drainPending();
  }
}

async function prepareReaders(readers: readonly ChdbConnection[], limits: QueryLimits): Promise<void> {
  const settings = Object.entries(readSettings(limits)).map(([name, value]) => `${name} = ${literal(value)}`);
  for (const { connection } of readers) {
    await connection.chdb.queryAsync(`SET ${settings.join(', ')}`);
    await connection.chdb.queryAsync('SET readonly = 1');
  }
}

function rethrow(asFailure: (error: unknown) => Error): (error: unknown) => never {
  return (error) => {
    throw asFailure(error);
  };
}
