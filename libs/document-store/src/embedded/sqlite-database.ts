import { unavailable } from '@assay/errors';
import { retryWhileBusy } from './busy-retry.js';
import { Connection, type PreparedStatement, type SqlRow } from './connection.js';
import { ConnectionPool } from './connection-pool.js';
import { createYieldToEventLoop, type YieldToEventLoop } from './yield-to-event-loop.js';
import type { Query } from './queries.js';
import { mapSqliteError } from './sqlite-error.js';
import { WalLimit } from './wal-limit.js';
import { type Write, WriteQueue } from './write-queue.js';

/** Maximum number of concurrent queries. */
const MAX_QUERIES = 2;

interface Parts {
  readonly writer: Connection;
  readonly reader: Connection;
  /** Statements of the reader. */
  readonly snapshot: { readonly begin: PreparedStatement; readonly end: PreparedStatement };
  readonly scanners: readonly Connection[];
  readonly pool: ConnectionPool;
  readonly wal: WalLimit;
  readonly writes: WriteQueue;
}

/**
 * The database file, with a connection for writes, one for short reads on the calling thread, and a pool for
 * queries, whose search runs on a thread of the native module. Readers and the writer do not block each other
 * (WAL mode). Every failure is an AppError.
 */
export class SqliteDatabase {
  private closing: Promise<void> | undefined;

  private constructor(private readonly parts: Parts) {}

  /** @throws SqliteError */
  static async open(path: string): Promise<SqliteDatabase> {
    const opened: Connection[] = [];
    const connect = async () => {
      const connection = await retryWhileBusy(() => Connection.open(path));
      opened.push(connection);
      return connection;
    };
    try {
      const writer = await connect();
      const reader = await connect();
      const snapshot = { begin: await reader.prepare('BEGIN'), end: await reader.prepare('ROLLBACK') };
      const scanners: Connection[] = [];
      while (scanners.length < MAX_QUERIES) scanners.push(await connect());
      const pool = new ConnectionPool(scanners);
      const wal = new WalLimit(`${path}-wal`, writer, pool);
      const writes = await WriteQueue.create(writer, () => wal.enforce());
      return new SqliteDatabase({ writer, reader, snapshot, scanners, pool, wal, writes });
    } catch (error) {
      for (const connection of opened) connection.close();
      throw error;
    }
  }

  /** The connection that writes, for use within a {@link Write}. */
  get writer(): Connection {
    return this.parts.writer;
  }

  prepareRead(sql: string): Promise<PreparedStatement> {
    return this.access(() => this.parts.reader.prepare(sql));
  }

  /** Resolves once the write is on disk. @param bytes approximate size of the write */
  write<T>(bytes: number, write: Write<T>): Promise<T> {
    return this.access(() => this.parts.writes.add(bytes, write));
  }

  /** Runs short reads with statements of `prepareRead`. */
  read<T>(action: (yieldToEventLoop: YieldToEventLoop) => T | Promise<T>): Promise<T> {
    return this.access(() => retryWhileBusy(() => action(createYieldToEventLoop())));
  }

  /**
   * Runs a short read for each key with statements of `prepareRead`, and returns what it finds. The reads of one turn of
   * the event loop share a transaction: each of its own would lock the file, and read pages again after a write.
   */
  readEach<Key, T>(keys: readonly Key[], read: (key: Key) => T | undefined): Promise<T[]> {
    const readTurn = (remaining: Iterator<Key>, found: T[]) => {
      const yieldToEventLoop = createYieldToEventLoop();
      for (let next = remaining.next(); !next.done; next = remaining.next()) {
        const one = read(next.value);
        if (one !== undefined) found.push(one);
        const turn = yieldToEventLoop();
        if (turn) return turn;
      }
      return undefined;
    };
    return this.access(() =>
      retryWhileBusy(async () => {
        const [remaining, found] = [keys.values(), [] as T[]];
        let turn: Promise<void> | undefined;
        do {
          turn = this.inSnapshot(() => readTurn(remaining, found));
          await turn;
        } while (turn);
        return found;
      }),
    );
  }

  private inSnapshot<T>(action: () => T): T {
    const { reader, snapshot } = this.parts;
    snapshot.begin.run([]);
    try {
      return action();
    } finally {
      if (reader.inTransaction) snapshot.end.run([]);
    }
  }

  /** Returns all rows of a query, from one snapshot. */
  query<T>({ sql, values }: Query, decode: (row: SqlRow) => T): Promise<readonly T[]> {
    const rowsOf = async (connection: Connection) => {
      const yieldToEventLoop = createYieldToEventLoop();
      const decoded: T[] = [];
      for (const row of await (await connection.prepare(sql)).iterate(values)) {
        decoded.push(decode(row));
        const turn = yieldToEventLoop();
        if (turn) await turn;
      }
      return decoded;
    };
    return this.access(() => this.parts.pool.use((connection) => retryWhileBusy(() => rowsOf(connection))));
  }

  /** Waits for operations in progress, then closes. Idempotent. */
  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    const { writer, reader, scanners, pool, wal, writes } = this.parts;
    await writes.idle();
    await pool.whileIdle(() => wal.empty());
    for (const connection of [...scanners, reader, writer]) connection.close();
  }

  private async access<T>(action: () => Promise<T>): Promise<T> {
    if (this.closing) throw unavailable('the document store is closed');
    try {
      return await action();
    } catch (error) {
      throw mapSqliteError(error);
    }
  }
}
