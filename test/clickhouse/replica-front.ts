import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** Two replicas behind one address, as a balancer of connections has them. */
export interface ReplicaFront {
  readonly url: string;
  /** Statements that read the second replica. */
  readonly staleReads: number;
  /** From now on the second replica lags behind by so many milliseconds; without this by none. */
  lagBy(ms: number): void;
  /** Repeats the writes that wait, and resolves when the second replica has them. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicaFrontOptions {
  /** A server with one node of the cluster. */
  readonly target: string;
  /** Name of the database; the second replica is another database of the same server. */
  readonly database: string;
}

interface Statement {
  readonly method: string | undefined;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Text of the statement. */
  readonly sql: string;
}

const REPLICATED = /Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/g;

/**
 * A test tool: a server has no replicas here, so that it is given a second copy of its tables, to which every statement that writes is
 * repeated later. A read gets the second copy, unless it has the settings with which ClickHouse answers from the first replica, or with
 * all writes. Definitions run without `ON CLUSTER` and replicated engines, which need a coordination service.
 */
export async function startReplicaFront(options: ReplicaFrontOptions): Promise<ReplicaFront> {
  const counts = { staleReads: 0 };
  let lagMs = 0;
  let waiting = new AbortController();
  let repeated: Promise<unknown> = Promise.resolve();
  const copy = (statement: Statement) => renamed(statement, options.database);
  const server = createServer((request, response) => {
    void (async () => {
      const received = await receive(request);
      const isRead = /^\s*(SELECT|WITH|CHECK)\b/.test(received.sql);
      const isStale = isRead && !seesAllWrites(received.url);
      received.url.searchParams.delete('prefer_localhost_replica');
      const statement = local(received);
      if (isStale) counts.staleReads += 1;
      const upstream = await send(options.target, isStale ? copy(statement) : statement);
      if (!isRead && upstream.status === 200) {
        const due = Date.now() + lagMs;
        const repeat = async () => {
          const late = delay(Math.max(0, due - Date.now()), undefined, { signal: waiting.signal });
          await late.catch(() => undefined);
          await send(options.target, copy(statement));
        };
        repeated = repeated.then(repeat);
        if (lagMs === 0) await repeated;
      }
      response.writeHead(upstream.status, upstream.headers).end(upstream.body);
    })().catch(() => response.destroy());
  });
  const settled = async () => {
    waiting.abort();
    await repeated;
    waiting = new AbortController();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get staleReads() {
      return counts.staleReads;
    },
    lagBy: (ms) => void (lagMs = ms),
    settled,
    stop: async () => {
      await settled();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether ClickHouse documents that a statement with these settings sees every write before it. */
function seesAllWrites({ searchParams }: URL): boolean {
  const isFirst =
    searchParams.get('load_balancing') === 'in_order' && searchParams.get('prefer_localhost_replica') === '0';
  return isFirst || searchParams.get('select_sequential_consistency') === '1';
}

async function receive(request: IncomingMessage): Promise<Statement> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method } = request;
  const { 'content-encoding': encoding, 'transfer-encoding': _chunked, ...headers } = request.headers;
  const received = Buffer.concat(chunks);
  const body = encoding === 'gzip' ? gunzipSync(received) : received;
  const url = new URL(request.url ?? '/', 'http://front');
  const inForm = /name="query"\r\n\r\n([\s\S]*)/.exec(body.toString('latin1'))?.[1];
  return { method, url, headers, body, sql: url.searchParams.get('query') ?? inForm ?? body.toString() };
}

/** The statement as one server runs it, which cannot connect to itself. */
function local(statement: Statement): Statement {
  const removed = / ON CLUSTER '\w+'|, prefer_localhost_replica = 0/g;
  return changed(statement, (text) => text.replaceAll(removed, '').replaceAll(REPLICATED, '$1('));
}

/** The statement on the second replica. */
function renamed(statement: Statement, database: string): Statement {
  return changed(statement, (text) => text.replaceAll(database, `${database}_second`));
}

/** Changes the text of a statement, in the URL or in the body; data follow a statement in the URL. */
function changed(statement: Statement, change: (text: string) => string): Statement {
  const { body, sql } = statement;
  const url = new URL(statement.url);
  const query = url.searchParams.get('query');
  if (query !== null) url.searchParams.set('query', change(query));
  return {
    ...statement,
    url,
    body: query === null ? Buffer.from(change(body.toString('latin1')), 'latin1') : body,
    sql: change(sql),
  };
}

interface Upstream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function send(target: string, { method, url, headers: received, body }: Statement): Promise<Upstream> {
  const headers = { ...received, 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${target}${url.pathname}${url.search}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 502,
          headers: withoutEncoding(response.headers),
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The body is sent as one. */
function withoutEncoding({ 'transfer-encoding': _encoding, ...headers }: IncomingMessage['headers']) {
  return headers;
}
