/** A value bound to a statement; arrays hold strings. */
export type BoundValue = string | number | readonly string[];
export type Bindings = Readonly<Record<string, BoundValue>>;

/** A statement that reads, with the values of its `{name:Type}` places. */
export interface Query {
  readonly sql: string;
  readonly bindings: Bindings;
  /** Whether the rows come as bytes instead of JSON, which takes half of the CPU; their columns have types that are read so. */
  readonly isBinary?: boolean;
}

/** Rows that are put into a table in one insert. */
export interface Insert {
  readonly table: string;
  /** The columns whose values follow each other in a row; absent where the format names them. */
  readonly columns?: readonly string[];
  /** Lines of JSON, each ended by a line feed, or values of the columns as bytes. */
  readonly format: 'JSONEachRow' | 'RowBinary';
  /** The bytes, in any number of pieces. */
  readonly parts: readonly Buffer[];
  /** Settings of this insert alone. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/**
 * The statement of an insert, up to the place of its rows: `from` says where they come from when they do not
 * follow.
 */
export function insertStatement(
  { table, columns, settings, format }: Omit<Insert, 'parts'>,
  from = '',
): string {
  const names = columns === undefined ? '' : ` (${columns.join(', ')})`;
  const all = Object.entries(settings).map(([name, value]) => `${name} = ${literal(value)}`);
  return `INSERT INTO ${table}${names}${from} SETTINGS ${all.join(', ')} FORMAT ${format}`;
}

/** A number or a text as it stands in a statement. */
export function literal(value: string | number): string {
  return typeof value === 'number'
    ? String(value)
    : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Stands at the end of a sub-query that scans payloads, in statements of clients: an engine may put settings of its own there. */
export const PAYLOAD_SCAN = ' /* scans payloads */';

/** Runs statements that read. */
export type QueryRunner = Pick<SqlEngine, 'query'>;

/**
 * The connections that run a statement of a client's query. A query has one connection of each lane. Statements of the side
 * lane have a quarter of the memory and one thread.
 */
export type Lane = 'main' | 'side';

/** Runs statements that read, and two reads at a time. */
export interface ConcurrentRunner extends QueryRunner {
  /** Runs statements that return few rows in the side lane. */
  readonly side: QueryRunner;
  /**
   * Runs two reads concurrently, the second one in the side lane. When one fails, the other is cancelled and awaited, and the
   * promise rejects with the first failure.
   */
  concurrently<Main, Side>(
    main: (runner: QueryRunner) => Promise<Main>,
    side: (runner: QueryRunner) => Promise<Side>,
  ): Promise<[Main, Side]>;
}

/** Runs statements of a client's query. */
export interface ClientRunner extends ConcurrentRunner {
  /** Returns the values of a statement of one column as they are stored. */
  bytes(query: Query): Promise<Buffer>;
}

/**
 * What an adapter does for the store: it carries statements to the engine. Every failure is an `AppError`:
 * `UNAVAILABLE` when the same statement may succeed later, `VALIDATION_ERROR` when the engine refuses what
 * the statement carries or asks for.
 */
export interface SqlEngine {
  /** Runs a statement that defines or records something. */
  command(sql: string): Promise<void>;
  /**
   * Durable when it resolves. The same insert with the same `insert_deduplication_token` has no further
   * effect.
   */
  insert(insert: Insert): Promise<void>;
  /**
   * Reads whole rows for the store itself, on connections that no client's query occupies. Exceeding a limit is
   * `UNAVAILABLE`.
   */
  query<Row>(query: Query): Promise<Row[]>;
  /**
   * Reads whole rows for a client, on connections of its own. Exceeding a limit is `VALIDATION_ERROR`. After
   * `signal` aborts, the engine is asked to cancel the statement; the promise settles when it has ended.
   */
  queryForClient<Row>(query: Query, signal: AbortSignal, lane?: Lane): Promise<Row[]>;
  /** As {@link queryForClient} in the main lane, for a statement of one column, whose values are returned as they are stored. */
  bytesForClient(query: Query, signal: AbortSignal): Promise<Buffer>;
  /** Reads the texts of one column in pages as they come, without a bound on their number. They have no escaped characters. */
  stream(query: Query, onTexts: (texts: readonly string[]) => void): Promise<void>;
  /** Waits for statements under way; later calls fail with `UNAVAILABLE`. Idempotent. */
  close(): Promise<void>;
}

/** Bounds of one query: beyond them the engine gives up on it. */
export interface QueryLimits {
  readonly maxSeconds: number;
  readonly maxMemoryBytes: number;
  readonly maxResultBytes: number;
  /** 0: no limit. */
  readonly maxRowsToRead: number;
  /** 0: no limit. */
  readonly maxBytesToRead: number;
  /** Threads of one statement; 0: chosen by the engine. */
  readonly maxThreads: number;
}

export const DEFAULT_QUERY_LIMITS: QueryLimits = {
  maxSeconds: 30,
  maxMemoryBytes: 4 * 1024 ** 3,
  maxResultBytes: 256 * 1024 ** 2,
  maxRowsToRead: 1_000_000_000,
  maxBytesToRead: 64 * 1024 ** 3,
  maxThreads: 2,
};

/** Limits of the statements of a client's query in the side lane. They are short: a second thread costs more CPU than it saves time. */
export function sideLimits(limits: QueryLimits): QueryLimits {
  return { ...limits, maxMemoryBytes: Math.ceil(limits.maxMemoryBytes / 4), maxThreads: 1 };
}

/** Limits of the statements that the store runs for itself: a failure stops storing, so they are generous. */
export const READER_LIMITS: QueryLimits = {
  maxSeconds: 120,
  maxMemoryBytes: 4 * 1024 ** 3,
  maxResultBytes: 1024 ** 3,
  maxRowsToRead: 0,
  maxBytesToRead: 0,
  maxThreads: 0,
};

/** Characters of a statement with its values: those of 10 MB of filters, which it has twice and escaped, fit. */
export const MAX_STATEMENT_LENGTH = 64 * 1024 ** 2;
const MAX_BYTES_OF_CHARACTER = 3;

/**
 * Settings of every read. Partitions never share a sort key, so rows are replaced within each alone; numbers
 * and slashes come as `JSON.stringify` writes them, tuples as arrays; sub-queries on a cluster stay on the
 * shard, because both sides are sharded by session; a query of 50 filters fits. With `FINAL`, conditions on the sort key,
 * which all versions of a row share, are checked before other columns are read: the index of event ids alone lets whole
 * blocks of rows pass for each id that a statement names. With one thread rows are not formatted in another one, which would
 * cost half a millisecond. Expressions are interpreted: compiling them takes milliseconds when a kind of statement runs for the
 * third time, and makes no query cheaper.
 */
export function readSettings(limits: QueryLimits): Record<string, string | number> {
  return {
    max_execution_time: limits.maxSeconds,
    max_memory_usage: limits.maxMemoryBytes,
    max_result_bytes: limits.maxResultBytes,
    result_overflow_mode: 'throw',
    max_rows_to_read: limits.maxRowsToRead,
    max_bytes_to_read: limits.maxBytesToRead,
    read_overflow_mode: 'throw',
    timeout_overflow_mode: 'throw',
    ...(limits.maxThreads > 0 && { max_threads: limits.maxThreads }),
    ...(limits.maxThreads === 1 && { output_format_parallel_formatting: 0 }),
    do_not_merge_across_partitions_select_final: 1,
    optimize_move_to_prewhere_if_final: 1,
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
    output_format_json_quote_64bit_integers: 0,
    output_format_json_escape_forward_slashes: 0,
    output_format_json_named_tuples_as_objects: 0,
    distributed_product_mode: 'local',
    max_query_size: MAX_BYTES_OF_CHARACTER * MAX_STATEMENT_LENGTH,
  };
}
