import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@assay/errors';
import {
  insertStatement,
  literal,
  PAYLOAD_SCAN,
  READER_LIMITS,
  readSettings,
  sideLimits,
  type Insert,
  type Lane,
  type Query,
  type QueryLimits,
  type SqlEngine,
} from '../sql/engine/engine.js';
import { BINARY_ROWS, parseBinaryRows } from '../sql/engine/binary-rows.js';
import { commandFailure, insertFailure, queryFailure, readerFailure } from '../sql/engine/engine-failure.js';
import { inlineBindings } from '../sql/engine/inline-bindings.js';
import { InsertFiles } from './insert-files.js';
import { loadChdb } from './load-chdb.js';
import { parseRows } from './parse-rows.js';
import { PayloadBlocks } from './payload-blocks.js';
import { restartMerges } from './restart-merges.js';
import { openChdbConnection, type ChdbConnection } from './chdb-connection.js';
import { StatementGate } from './statement-gate.js';

export interface ChdbEngineOptions {
  /** Folder of the data. A process has one engine, so all its stores share one folder. */
  readonly dir: string;
  /** Connections for reads of the store itself, and those of each lane for queries of clients. */
  readonly readers: number;
  readonly queries?: number;
  /** Limits of a client's query. */
  readonly limits: QueryLimits;
}

/** Delay between two attempts to cancel a statement, which may not have reached the engine yet. */
const CANCEL_INTERVAL_MS = 250;

/**
 * The engine in this process. A connection runs one statement at a time, so one writes, a few read for the
 * store, others run the queries of clients, one cancels those, and one merges parts. Settings given to a client would stay on its connection: readers get theirs once, when they are opened, and
 * inserts carry theirs in the statement. Statements run on threads of the engine; the event loop hands bytes
 * over and takes rows.
 */
export class ChdbEngine implements SqlEngine {
  readonly #links: readonly ChdbConnection[];
  readonly #writer: StatementGate<ChdbConnection>;
  readonly #readers: StatementGate<ChdbConnection>;
  readonly #queries: Readonly<Record<Lane, StatementGate<ChdbConnection>>>;
  readonly #canceller: StatementGate<ChdbConnection>;
  readonly #merger: StatementGate<ChdbConnection>;
  readonly #files: InsertFiles;
  readonly #blocks = new PayloadBlocks(this);
  readonly #ready: Promise<void>;
  /** Connections whose last statement failed, and may have returned something. */
  readonly #withRest = new Set<ChdbConnection>();
  /** Aborts when the engine is closed. */
  readonly #shutdown = new AbortController();
  #closing: Promise<void> | undefined;

  constructor({ dir, readers, queries = 1, limits }: ChdbEngineOptions) {
    const open = (length: number) => Array.from({ length }, () => openChdbConnection(dir));
    const [writer, canceller, merger] = [open(1), open(1), open(1)];
    const [forStore, main, side] = [open(readers), open(queries), open(queries)];
    this.#links = [...writer, ...canceller, ...merger, ...forStore, ...main, ...side];
    this.#writer = new StatementGate(writer);
    this.#canceller = new StatementGate(canceller);
    this.#merger = new StatementGate(merger);
    this.#readers = new StatementGate(forStore);
    this.#queries = { main: new StatementGate(main), side: new StatementGate(side) };
    this.#files = new InsertFiles(dir);
    this.#ready = prepareReaders(forStore, READER_LIMITS)
      .then(() => prepareReaders(main, limits))
      .then(() => prepareReaders(side, sideLimits(limits)));
    // A failure to prepare is reported by the first read.
    this.#ready.catch(() => undefined);
  }

  async command(sql: string): Promise<void> {
    await this.#writer.run(({ client }) => client.command({ query: sql }).catch(rethrow(commandFailure)));
  }

  /** Runs statements one after the other; nothing is written in between. */
  async commands(statements: readonly string[]): Promise<void> {
    await this.#writer.run(async ({ client }) => {
      for (const query of statements) await client.command({ query }).catch(rethrow(commandFailure));
    });
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

  /**
   * Merges all parts of a partition into one, beside other statements. When `signal` aborts, the merges of the table are stopped,
   * and started again when this one has ended.
   * @returns whether the merge was not cancelled
   */
  async mergePartition(table: string, partition: string, signal: AbortSignal): Promise<boolean> {
    return this.#merger.run(async ({ client }) => {
      if (signal.aborted) return false;
      let stopping: Promise<void> | undefined;
      const cancel = () => {
        // After a failure the merge ends when it is complete.
        stopping = this.command(`SYSTEM STOP MERGES ${table}`).catch(() => undefined);
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        await client.command({ query: `OPTIMIZE TABLE ${table} PARTITION ID ${literal(partition)}` });
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        throw commandFailure(error);
      } finally {
        signal.removeEventListener('abort', cancel);
        if (stopping !== undefined) {
          await stopping;
          const start = () => client.command({ query: `SYSTEM START MERGES ${table}` });
          await restartMerges(start, this.#shutdown.signal);
        }
      }
    });
  }

  query<Row>(query: Query): Promise<Row[]> {
    return this.#readers.run((link) =>
      this.#rows<Row>(link, inlineBindings(query), query.isBinary).catch(rethrow(readerFailure)),
    );
  }

  queryForClient<Row>(query: Query, signal: AbortSignal, lane: Lane = 'main'): Promise<Row[]> {
    return this.#forClient(query, { signal, lane }, (link, sql) =>
      this.#rows<Row>(link, sql, query.isBinary),
    );
  }

  bytesForClient(query: Query, signal: AbortSignal): Promise<Buffer> {
    return this.#forClient(query, { signal, lane: 'main' }, async (link, sql) =>
      Buffer.from(await this.#bytes(link, sql, 'RawBLOB')),
    );
  }

  #forClient<Result>(
    query: Query,
    { signal, lane }: { readonly signal: AbortSignal; readonly lane: Lane },
    run: (link: ChdbConnection, sql: string) => Promise<Result>,
  ): Promise<Result> {
    return this.#queries[lane].run(async (link) => {
      if (signal.aborted) throw unavailable('the query was cancelled');
      const name = `/* ${randomUUID()} */`;
      const ended = new AbortController();
      const cancel = () => void this.#cancelUntilEnded(name, ended.signal);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await run(link, `${name} ${inlineBindings(await this.#withBlocks(query))}`);
      } catch (error) {
        throw queryFailure(error);
      } finally {
        ended.abort();
        signal.removeEventListener('abort', cancel);
      }
    });
  }

  async #withBlocks(query: Query): Promise<Query> {
    if (!query.sql.includes(PAYLOAD_SCAN)) return query;
    const settings = await this.#blocks.settings();
    return { ...query, sql: query.sql.replaceAll(PAYLOAD_SCAN, settings) };
  }

  async #rows<Row>(link: ChdbConnection, sql: string, isBinary = false): Promise<Row[]> {
    if (isBinary) return parseBinaryRows<Row>(await this.#bytes(link, sql, BINARY_ROWS));
    return parseRows<Row>(await this.#bytes(link, sql, 'JSONEachRow'));
  }

  async #bytes(link: ChdbConnection, sql: string, format: 'JSONEachRow' | 'RawBLOB' | typeof BINARY_ROWS) {
    await this.#ready;
    await this.#discardRest(link);
    this.#withRest.add(link);
    try {
      const result = await link.connection.chdb.queryAsync(sql, { format });
      this.#withRest.delete(link);
      return result.bytes();
    } catch (error) {
      // Immediately, because the rest takes memory; if that fails, before the next statement.
      await this.#discardRest(link).catch(() => undefined);
      throw error;
    }
  }

  /**
   * What a failed statement had returned by then stays in its connection, before the rows of the next statement, which
   * may be of another project.
   */
  async #discardRest(link: ChdbConnection): Promise<void> {
    if (!this.#withRest.has(link)) return;
    await link.connection.chdb.queryAsync('SELECT 1', { format: 'Null' });
    this.#withRest.delete(link);
  }

  /** Rows of a stream do not stay in its connection. */
  async #readyForStream(link: ChdbConnection): Promise<void> {
    await this.#ready;
    await this.#discardRest(link);
  }

  /** The engine looks at a cancellation between two blocks of data. Statements that are not running yet are missed. */
  async #cancelUntilEnded(name: string, ended: AbortSignal): Promise<void> {
    const sql = `KILL QUERY WHERE startsWith(query, ${literal(name)}) ASYNC`;
    while (!ended.aborted) {
      await this.#canceller.run(({ client }) => client.command({ query: sql })).catch(() => undefined);
      await delay(CANCEL_INTERVAL_MS, undefined, { signal: ended }).catch(() => undefined);
    }
  }

  /** Each chunk has whole rows. */
  async stream({ sql }: Query, onTexts: (texts: readonly string[]) => void): Promise<void> {
    await this.#readers.run(async (link) => {
      try {
        await this.#readyForStream(link);
        for await (const chunk of link.connection.chdb.queryStream(sql, { format: 'TabSeparated' })) {
          const lines = chunk.text();
          if (lines !== '') onTexts(lines.slice(0, -1).split('\n'));
        }
      } catch (error) {
        throw readerFailure(error);
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#drainAndClose();
    return this.#closing;
  }

  /** A connection that is closed under a running statement would end the engine for the whole process. */
  async #drainAndClose(): Promise<void> {
    this.#shutdown.abort();
    // A merge that is being cancelled still needs the writer.
    await this.#merger.close();
    const gates = [this.#writer, this.#readers, this.#queries.main, this.#queries.side];
    await Promise.all([...gates.map((gate) => gate.close()), this.#ready.catch(() => undefined)]);
    await this.#canceller.close();
    await Promise.all(this.#links.map(({ client }) => client.close()));
    await loadChdb().drainPending();
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
