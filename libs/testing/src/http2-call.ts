import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';

export interface Http2CallOptions {
  /** `/package.Service/Method` */
  readonly path: string;
  /** The message as it is sent: compressed when the headers name a `grpc-encoding`. */
  readonly message: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status of a call, and its message. */
export interface CallOutcome {
  /** `grpc-status` */
  readonly code: number;
  /** `grpc-message` */
  readonly text: string;
  readonly trailers: IncomingHttpHeaders;
  /** The message of the response; empty when there is none. */
  readonly message: Buffer;
}

const PREFIX_BYTES = 5;

/** Opens a connection for calls by gRPC that controls every frame. Close it after use. */
export function openHttp2(address: string): ClientHttp2Session {
  // A connection that the server closes fails its calls, which is enough.
  return connect(`http://${address}`).on('error', () => undefined);
}

/** Sends one call by gRPC over an open connection. Rejects when the stream ends without a status. */
export function callOverHttp2(session: ClientHttp2Session, options: Http2CallOptions): Promise<CallOutcome> {
  const { stream, outcome } = beginCall(session, options);
  stream.end(framed(options.message, options.headers?.['grpc-encoding'] !== undefined));
  return outcome;
}

/** Begins a call without sending its message. */
export function beginCall(
  session: ClientHttp2Session,
  { path, headers }: Omit<Http2CallOptions, 'message'>,
): { readonly stream: ClientHttp2Stream; readonly outcome: Promise<CallOutcome> } {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  return { stream, outcome: outcomeOf(stream) };
}

/** A message with its prefix: the flag for compression and the length. */
export function framed(message: Buffer, isCompressed = false): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function outcomeOf(stream: ClientHttp2Stream): Promise<CallOutcome> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let trailers: IncomingHttpHeaders = {};
    // A response without a message has its status in the headers.
    const onHeaders = (headers: IncomingHttpHeaders) => (trailers = { ...trailers, ...headers });
    stream.on('response', onHeaders).on('trailers', onHeaders);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    // The server may end the response before the request.
    const onEnd = () => {
      const status = trailers['grpc-status'];
      if (status === undefined) return reject(new Error('the call ended without a status'));
      const text = decodeURIComponent(String(trailers['grpc-message'] ?? ''));
      resolve({
        code: Number(status),
        text,
        trailers,
        message: Buffer.concat(chunks).subarray(PREFIX_BYTES),
      });
    };
    stream.on('end', onEnd).on('close', onEnd);
  });
}
