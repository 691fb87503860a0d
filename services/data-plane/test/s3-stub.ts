import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does instead of handling a request; undefined: it handles it. */
export type Fault = 'refuse' | 'lose-response' | 'drop' | undefined;

/** A server with the part of the S3 protocol that exports use, in memory. It does not check signatures: a real server does in `test/object-export`. */
export interface S3Stub {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Requests, as `PUT key`. */
  readonly requests: string[];
  /** Called for each request. */
  fault: (request: string) => Fault;
  stop(): Promise<void>;
}

export async function startS3Stub(): Promise<S3Stub> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const stub = {
    ...{ objects, requests, fault: (_request: string): Fault => undefined, endpoint: '' },
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = decodeURIComponent((request.url ?? '').replace(/^\/bucket\//, ''));
    const name = `${request.method} ${key}`;
    requests.push(name);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = stub.fault(name);
    if (fault === 'drop') return void request.socket.destroy();
    if (fault === 'refuse') return respond(response, 403, 'AccessDenied');
    const status = apply(request, key, Buffer.concat(chunks));
    if (fault === 'lose-response') return void request.socket.destroy();
    if (status === 404) return respond(response, 404, 'NoSuchKey');
    if (status === 412) return respond(response, 412, 'PreconditionFailed');
    response.writeHead(status).end(request.method === 'GET' ? objects.get(key) : undefined);
  }

  function apply({ method, headers }: IncomingMessage, key: string, body: Buffer): number {
    if (method === 'GET') return objects.has(key) ? 200 : 404;
    if (method === 'DELETE') return objects.delete(key) ? 204 : 404;
    if (headers['if-none-match'] === '*' && objects.has(key)) return 412;
    objects.set(key, body);
    return 200;
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stub.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stub;
}

function respond(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>of a customer</Message></Error>`);
}
