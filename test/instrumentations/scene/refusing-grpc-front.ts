import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { rpcStatus } from '@assay/otlp';
import { callGrpc } from '../../harness/otlp/call-grpc.js';
import { freePort } from '../../harness/stack/free-port.js';
import type { Refusals } from './refusals.js';

/** Flag for compression and length before the message of a call. */
const PREFIX_BYTES = 5;
const HEADERS = { ':status': 200, 'content-type': 'application/grpc' };

/** The front for gRPC. @param target address of Assay */
export async function startGrpcFront(
  target: string,
  refusals: Refusals,
): Promise<{ readonly url: string; stop(): void }> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    respond(stream, headers, { refusals, address: new URL(target).host }).catch((cause: unknown) =>
      stream.destroy(cause instanceof Error ? cause : undefined),
    );
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const stop = () => {
    for (const session of sessions) session.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

interface Way {
  readonly refusals: Refusals;
  readonly address: string;
}

async function respond(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { refusals, address }: Way,
): Promise<void> {
  const path = headers[':path'] ?? '/';
  const body = await buffer(stream);
  const outcome = refusals.next(path);
  if (outcome === 'unavailable' || outcome === 'throttled') return refuse(stream, outcome);
  const sent = body.subarray(PREFIX_BYTES);
  const { error, response } = await callGrpc(address, body[0] === 1 ? gunzipSync(sent) : sent, {
    key: (headers.authorization ?? '').replace('Bearer ', ''),
    signal: path.includes('.logs.') ? 'logs' : 'trace',
  });
  if (error) throw error;
  if (outcome !== 'stored') return refuse(stream, 'unavailable');
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(framed(response ?? Buffer.alloc(0)));
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** As Assay refuses overload, and as others refuse above a quota: the details say when to send again. */
function refuse(stream: ServerHttp2Stream, reason: 'unavailable' | 'throttled'): void {
  const errorCode = reason === 'throttled' ? 'PAYLOAD_TOO_LARGE' : 'UNAVAILABLE';
  const { code, message, details } = rpcStatus({ code: errorCode, message: 'send the request again' }, 1);
  const status: OutgoingHttpHeaders = { ...HEADERS, 'grpc-status': String(code), 'grpc-message': message };
  if (details) status['grpc-status-details-bin'] = details.toString('base64');
  stream.respond(status, { endStream: true });
}
