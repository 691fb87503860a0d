import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../harness/stack/free-port.js';
import { Refusals, type Outcomes } from './refusals.js';
import { startGrpcFront } from './refusing-grpc-front.js';

/** Stands before Assay and refuses the first requests, as overload, a quota and a lost response do. */
export interface RefusingFront {
  readonly url: string;
  readonly grpcUrl: string;
  /** Outcomes of the requests since the last call. */
  take(): Outcomes;
  stop(): Promise<void>;
}

/** @param target addresses of Assay */
export async function startRefusingFront(target: {
  readonly url: string;
  readonly grpcUrl: string;
}): Promise<RefusingFront> {
  const refusals = new Refusals();
  const server = createServer((request, response) => {
    respond(request, response, { refusals, url: target.url }).catch((cause: unknown) =>
      response.destroy(cause instanceof Error ? cause : undefined),
    );
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const grpc = await startGrpcFront(target.grpcUrl, refusals);
  return {
    url: `http://127.0.0.1:${port}`,
    grpcUrl: grpc.url,
    take: () => refusals.take(),
    stop: async () => {
      grpc.stop();
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

interface Way {
  readonly refusals: Refusals;
  readonly url: string;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { refusals, url }: Way,
): Promise<void> {
  const path = request.url ?? '/';
  const body = await buffer(request);
  const outcome = refusals.next(path);
  if (outcome === 'unavailable' || outcome === 'throttled')
    return refuse(response, outcome === 'throttled' ? 429 : 503);
  const forwarded = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: headersOf(request, ['authorization', 'content-type', 'content-encoding']),
    body,
  });
  if (forwarded.status !== 200) throw new Error(`Assay responded with ${forwarded.status}`);
  if (outcome !== 'stored') return refuse(response, 503);
  response.writeHead(200, { 'content-type': forwarded.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await forwarded.arrayBuffer()));
}

function headersOf({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.filter((name) => headers[name] !== undefined).map((name) => [name, String(headers[name])]),
  );
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'retry-after': '1', 'content-type': 'application/x-protobuf' }).end();
}
