import Libsql from 'libsql/promise';
import { LRUCache } from 'lru-cache';

/**
 * Values that may be bound to a statement. The native module aborts the process on a value of another type,
 * such as a boolean.
 */
export type SqlValue = string | number | Buffer | null;

/**
 * Value of a row. Text ends at its first zero byte, so text that may contain one is selected as a blob.
 * Undefined: the row has no such column.
 */
export type ColumnResult = string | number | ArrayBuffer | null | undefined;

export type SqlRow = readonly ColumnResult[];

export interface PreparedStatement {
  /** Runs to completion on the calling thread. */
  run(values: readonly SqlValue[]): { readonly changes: number };
  /** The first row, read on the calling thread. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
  /**
   * Finds the first row on a thread of the native module. The other rows are read on the calling thread, 100
   * at a time.
   */
  iterate(values: readonly SqlValue[]): Promise<Iterable<SqlRow>>;
}

interface NativeDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): Promise<PreparedStatement & { raw(): PreparedStatement; readonly reader: boolean }>;
  exec(sql: string): Promise<void>;
  close(): void;
}

const NativeDatabase = Libsql as unknown as new (
  path: string,
  options: { timeout: number },
) => NativeDatabase;

/** Maximum number of prepared statements per connection. */
const MAX_STATEMENTS = 200;
/** Size to which the write-ahead log is truncated when it restarts from its beginning. */
const WAL_SIZE_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * `synchronous`: a commit includes the sync of the write-ahead log. `wal_autocheckpoint`: pages after which a commit copies the log into the
 * database. A negative `cache_size` is in KiB. No memory-mapped reads: an I/O error would be a signal that ends the process.
 */
const SETTINGS = [
  'synchronous = FULL',
  'wal_autocheckpoint = 4000',
  `journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`,
  'cache_size = -8192',
  'mmap_size = 0',
  'cell_size_check = ON',
  'trusted_schema = OFF',
  // What is deleted is overwritten with zeros.
  'secure_delete = ON',
];

/**
 * One connection to the database file. Do not use it while an asynchronous call is in progress: that would
 * block the thread.
 */
export class Connection {
  private readonly statements = new LRUCache<string, Promise<PreparedStatement>>({ max: MAX_STATEMENTS });

  private constructor(private readonly native: NativeDatabase) {}

  /** @throws SqliteError also if the file is not a database */
  static async open(path: string): Promise<Connection> {
    const connection = new Connection(new NativeDatabase(path, { timeout: 0 }));
    try {
      for (const setting of SETTINGS) await connection.exec(`PRAGMA ${setting}`);
      await connection.first('SELECT count(*) FROM sqlite_schema');
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  /** Whether a transaction is open. SQLite rolls it back automatically when the disk is full or fails. */
  get inTransaction(): boolean {
    return this.native.inTransaction;
  }

  /** Returns the prepared statement, from a cache. */
  prepare(sql: string): Promise<PreparedStatement> {
    const known = this.statements.get(sql);
    if (known) return known;
    const preparing = this.native
      .prepare(sql)
      .then((statement) => (statement.reader ? statement.raw() : statement));
    this.statements.set(sql, preparing);
    preparing.catch(() => this.statements.delete(sql));
    return preparing;
  }

  /** Runs statements that return nothing, on a thread of the native module. */
  exec(sql: string): Promise<void> {
    return this.native.exec(sql);
  }

  async first(sql: string, values: readonly SqlValue[] = []): Promise<SqlRow | undefined> {
    const statement = await this.prepare(sql);
    for (const row of await statement.iterate(values)) return row;
    return undefined;
  }

  close(): void {
    this.statements.clear();
    this.native.close();
  }
}
