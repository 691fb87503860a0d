import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createClient, ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client';
import { AppError, isRetryable as isRetryableError, unavailable } from '@assay/errors';
import { retry } from '@assay/runtime';
import {
  insertStatement,
  literal,
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
import {
  commandFailure,
  insertFailure,
  isBodyRefused,
  queryFailure,
  readerFailure,
} from '../sql/engine/engine-failure.js';
import { KnownSettings, type Settings, type UserSetting } from './known-settings.js';
import { ReadConsistency } from './read-consistency.js';

/** Delays before the retries of a statement, in milliseconds. */
const RETRY_DELAYS_MS = [100, 500];
/** Statements under way or waiting for a connection at most. */
const MAX_UNDER_WAY = 1_000;

export interface ClickHouseEngineOptions {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** Makes the connections of each client; those of the official client when absent. */
  readonly makeAgent?: (maxSockets: number) => Agent;
  readonly requestTimeoutMs: number;
  /** Connections for the store itself. */
  readonly maxConnections: number;
  /** Connections of each lane for queries of clients. */
  readonly maxQueryConnections: number;
  /** Limits of a client's query. */
  readonly limits: QueryLimits;
  /** Whether the tables have replicas: an insert waits for a majority of them. */
  readonly replicated: boolean;
  /** Database of the tables; absent: they have one copy. */
  readonly database?: string;
}

/** How long a definition may take: a migration can copy all rows of a table. */
const COMMAND_TIMEOUT_MS = 6 * 3_600_000;
/** The server reports progress while it runs a definition, so that no proxy closes the connection as idle. */
const COMMAND_SETTINGS = {
  wait_end_of_query: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '20000',
} as const;

/** The server would apply the limit of the user's profile to an insert, which can be low. */
const INSERT_LIMITS = { max_memory_usage: READER_LIMITS.maxMemoryBytes } as const;
const READER_SETTINGS = { ...readSettings(READER_LIMITS), readonly: '1', wait_end_of_query: 1 } as const;

/**
 * ClickHouse over HTTP. Calls that failed in passing are tried again: reads and definitions change nothing,
 * and an insert carries a token by which the engine knows it.
 */
export class ClickHouseEngine implements SqlEngine {
  readonly #client: ClickHouseClient;
  readonly #queryClient: ClickHouseClient;
  readonly #commandClient: ClickHouseClient;
  readonly #querySettings: Readonly<Record<Lane, Record<string, string | number>>>;
  readonly #quorum: Record<string, string | number>;
  readonly #known: KnownSettings;
  readonly #consistency: ReadConsistency;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor({
    url,
    username,
    password,
    makeAgent,
    requestTimeoutMs,
    maxConnections,
    maxQueryConnections,
    limits,
    replicated,
    database = '',
  }: ClickHouseEngineOptions) {
    const connect = (max_open_connections: number, request_timeout = requestTimeoutMs) =>
      createClient({
        url,
        username,
        password,
        request_timeout,
        max_open_connections,
        http_agent: makeAgent?.(max_open_connections),
        // Compressing a result costs the server several times what it takes to send it within a network.
        compression: { request: true, response: false },
        use_multipart_params_auto: true,
        log: { level: ClickHouseLogLevel.OFF },
      });
    this.#client = connect(maxConnections);
    this.#known = new KnownSettings(this.#client);
    this.#consistency = new ReadConsistency({ client: this.#client, database, replicated });
    this.#queryClient = connect(2 * maxQueryConnections);
    this.#commandClient = connect(1, COMMAND_TIMEOUT_MS);
    this.#querySettings = { main: querySettings(limits), side: querySettings(sideLimits(limits)) };
    this.#quorum = replicated ? { insert_quorum: 'auto' } : {};
  }

  command(sql: string): Promise<void> {
    return this.#call(commandFailure, async () => {
      const clickhouse_settings = await this.#known.of(COMMAND_SETTINGS);
      await this.#commandClient.command({ query: sql, clickhouse_settings });
    });
  }

  insert({ parts, ...insert }: Insert): Promise<void> {
    const bytes = Buffer.concat(parts);
    return this.#call(insertFailure, async () => {
      const ofCopies = { ...this.#quorum, ...this.#consistency.ofInserts };
      const settings = await this.#known.of({ ...INSERT_LIMITS, ...insert.settings, ...ofCopies });
      const query = insertStatement({ ...insert, settings });
      const values = Readable.from([bytes], { objectMode: false });
      const { stream } = await this.#client.exec({
        query,
        values,
        clickhouse_settings: { wait_end_of_query: 1 },
      });
      for await (const _answer of stream) continue;
    });
  }

  query<Row>({ sql, bindings, isBinary }: Query): Promise<Row[]> {
    return this.#call(readerFailure, async () => {
      const clickhouse_settings = await this.#readSettings(READER_SETTINGS);
      const request = { query: sql, query_params: { ...bindings }, clickhouse_settings };
      return rowsOf<Row>(this.#client, request, isBinary);
    });
  }

  queryForClient<Row>(query: Query, signal: AbortSignal, lane: Lane = 'main'): Promise<Row[]> {
    return this.#forClient(query, { signal, lane }, (request) =>
      rowsOf<Row>(this.#queryClient, request, query.isBinary),
    );
  }

  bytesForClient({ sql, bindings }: Query, signal: AbortSignal): Promise<Buffer> {
    const query = { sql: `${sql} FORMAT RawBLOB`, bindings };
    return this.#forClient(query, { signal, lane: 'main' }, async (request) => {
      const { stream } = await this.#queryClient.exec(request);
      return buffer(stream);
    });
  }

  #forClient<Result>(
    { sql, bindings }: Query,
    { signal, lane }: { readonly signal: AbortSignal; readonly lane: Lane },
    run: (request: ClientRequest) => Promise<Result>,
  ): Promise<Result> {
    return this.#call(
      queryFailure,
      async () => {
        if (signal.aborted) throw cancelled();
        const clickhouse_settings = await this.#readSettings(this.#querySettings[lane]);
        const query_id = randomUUID();
        const cancel = () => void this.#cancel(query_id);
        signal.addEventListener('abort', cancel, { once: true });
        try {
          return await run({
            query: sql,
            query_params: { ...bindings },
            clickhouse_settings,
            query_id,
            abort_signal: signal,
          });
        } catch (error) {
          throw signal.aborted ? cancelled() : error;
        } finally {
          signal.removeEventListener('abort', cancel);
        }
      },
      signal,
    );
  }

  /** The server cancels a query whose connection was closed. This covers proxies that keep it open. */
  async #cancel(queryId: string): Promise<void> {
    const query = `KILL QUERY WHERE query_id = ${literal(queryId)} ASYNC`;
    await this.#track(() => this.#client.command({ query })).catch(() => undefined);
  }

  /** Not tried again: rows that were handed over already would come a second time. */
  stream({ sql }: Query, onTexts: (texts: readonly string[]) => void): Promise<void> {
    return this.#track(async () => {
      try {
        const result = await this.#client.query({
          query: sql,
          clickhouse_settings: await this.#readSettings({ readonly: '1' }),
          format: 'TabSeparated',
        });
        for await (const rows of result.stream()) onTexts(rows.map(({ text }) => text));
      } catch (error) {
        throw readerFailure(error);
      }
    });
  }

  /** Settings of the user's profile, by name. @throws AppError `UNAVAILABLE` */
  userSettings(): Promise<ReadonlyMap<string, UserSetting>> {
    return this.#call(readerFailure, () => this.#known.read());
  }

  /** Whether the user has a right, such as `INSERT ON assay.*`. */
  hasRight(right: string): Promise<boolean> {
    return this.#call(readerFailure, async () => {
      const { stream } = await this.#client.exec({ query: `CHECK GRANT ${right}` });
      return /^1\b/.test((await buffer(stream)).toString());
    });
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(async () => {
      const clients = [this.#client, this.#queryClient, this.#commandClient];
      await Promise.all(clients.map((client) => client.close()));
    });
    return this.#closing;
  }

  #call<Result>(
    asFailure: (error: unknown) => AppError,
    attempt: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const once = async () => {
      try {
        return await attempt();
      } catch (error) {
        throw asFailure(error);
      }
    };
    const isRetryable = (error: unknown) =>
      signal?.aborted !== true && isRetryableError(error) && !isBodyRefused(error);
    return this.#track(() => retry(once, { delaysMs: RETRY_DELAYS_MS, isRetryable }));
  }

  async #readSettings(settings: Settings): Promise<Settings> {
    return this.#known.of({ ...settings, ...(await this.#consistency.ofReads()) });
  }

  async #track<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw unavailable('the event store is closed');
    if (this.#running.size >= MAX_UNDER_WAY)
      throw new AppError('OVERLOADED', 'too many statements wait for the event store');
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

async function rowsOf<Row>(
  client: ClickHouseClient,
  request: Pick<ClientRequest, 'query' | 'query_params' | 'clickhouse_settings'>,
  isBinary = false,
): Promise<Row[]> {
  if (isBinary) {
    const { stream } = await client.exec({ ...request, query: `${request.query} FORMAT ${BINARY_ROWS}` });
    return parseBinaryRows<Row>(await buffer(stream));
  }
  const result = await client.query({ ...request, format: 'JSONEachRow' });
  return result.json<Row>();
}

function querySettings(limits: QueryLimits): Record<string, string | number> {
  return {
    ...readSettings(limits),
    readonly: '1',
    wait_end_of_query: 1,
    cancel_http_readonly_queries_on_client_close: 1,
  };
}

/** A statement of a client, without its format. */
interface ClientRequest {
  readonly query: string;
  readonly query_params: Record<string, unknown>;
  readonly clickhouse_settings: Settings;
  readonly query_id: string;
  readonly abort_signal: AbortSignal;
}

function cancelled(): AppError {
  return new AppError('UNAVAILABLE', 'the query was cancelled');
}
