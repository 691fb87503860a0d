import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { EngineSessions } from './engine-sessions.js';
import { Faults, type Fault } from './faults.js';
import { readStatement, type Statement } from './read-statement.js';

/** Tests add a fault with POST (JSON) and clear all with DELETE. */
export const FAULTS_PATH = '/__faults';

export interface Front {
  readonly port: number;
  /** Waits for statements in progress. */
  close(): Promise<void>;
}

/** Listens on the loopback address. */
export async function startFront(sessions: EngineSessions, port: number): Promise<Front> {
  const faults = new Faults();
  const server = createServer(
    { maxHeaderSize: 1 << 20, keepAliveTimeout: 30_000 },
    (request, response) => void respond(request, response, sessions, faults),
  );
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
      await sessions.close();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: EngineSessions,
  faults: Faults,
): Promise<void> {
  const path = request.url?.split('?')[0];
  try {
    if (path === '/ping') return void response.end('Ok.\n');
    if (path === FAULTS_PATH) return await respondToFaults(request, response, faults);
    await respondToStatement(request, response, sessions, faults);
  } catch (error) {
    if (!response.destroyed) respondWithError(response, error);
  }
}

async function respondToFaults(
  request: IncomingMessage,
  response: ServerResponse,
  faults: Faults,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  if (request.method === 'DELETE') faults.clear();
  else faults.add(JSON.parse(Buffer.concat(chunks).toString()) as Fault);
  response.end('Ok.\n');
}

async function respondToStatement(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: EngineSessions,
  faults: Faults,
) {
  const received = await readStatement(request);
  const fault = faults.next(received.sql);
  const statement = rewritten(received, fault);
  if (fault?.kind === 'unavailable') return void response.writeHead(503).end('the server is going down\n');
  if (fault?.kind === 'slow') await delay(fault.delayMs ?? 0);
  const bytes = await sessions.run(statement);
  if (fault?.kind === 'lose-response') return void response.destroy();
  response.setHeader(
    'X-ClickHouse-Query-Id',
    new URL(request.url ?? '/', 'http://front').searchParams.get('query_id') ?? randomUUID(),
  );
  response.setHeader(
    'X-ClickHouse-Format',
    /\bFORMAT\s+(\w+)\s*$/i.exec(statement.sql)?.[1] ?? statement.defaultFormat,
  );
  response.setHeader('X-ClickHouse-Summary', '{}');
  const body = encoded(request, response, bytes);
  if (fault?.kind === 'cut-stream')
    return void response.write(body.subarray(0, body.length >> 1), () => response.destroy());
  response.end(body);
}

function rewritten(statement: Statement, fault: Fault | undefined): Statement {
  if (fault?.kind !== 'rewrite') return statement;
  const { match = '', replacement = '' } = fault;
  return { ...statement, sql: statement.sql.replaceAll(match, replacement) };
}

/** As the server does by default: it compresses only what asks for it in the URL, at level 3. */
function encoded(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): Buffer {
  const { searchParams } = new URL(request.url ?? '/', 'http://front');
  const isAsked = searchParams.get('enable_http_compression') === '1';
  const accepted = String(request.headers['accept-encoding']);
  if (!isAsked || !accepted.includes('gzip')) return Buffer.from(bytes);
  response.setHeader('Content-Encoding', 'gzip');
  return gzipSync(bytes, { level: 3 });
}

/** HTTP statuses of the server's error codes; 500 for the rest. */
const STATUSES: Readonly<Record<string, number>> = {
  60: 404,
  81: 404,
  47: 404,
  164: 403,
  62: 400,
  27: 400,
  43: 400,
  53: 400,
  72: 400,
  6: 400,
};

function respondWithError(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = /Code: (\d+)\./.exec(message)?.[1] ?? '1002';
  response.writeHead(STATUSES[code] ?? 500, {
    'X-ClickHouse-Exception-Code': code,
    'Content-Type': 'text/plain; charset=UTF-8',
  });
  response.end(
    message.startsWith('Code:') ? message : `Code: ${code}. DB::Exception: ${message} (UNKNOWN_EXCEPTION)`,
  );
}
