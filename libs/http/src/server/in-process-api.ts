import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { duplexPair } from 'node:stream';
import { unavailable } from '@assay/errors';

/** A request to the API of this process. */
export interface InProcessRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  /** Address of the client that the request is made for, as its connection has it. */
  readonly remoteAddress: string | undefined;
  /** The rest of a longer response is not read. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
}

export interface InProcessResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** False when the response is longer than the request allows: `body` is its beginning. */
  readonly isComplete: boolean;
}

/**
 * Sends a request to the API of this process as a client would, without a socket: authentication, permissions, limits,
 * shares and proxies are those of every other request.
 * @throws AppError `UNAVAILABLE` when the response breaks off, or `signal` aborts
 */
export type CallApi = (request: InProcessRequest) => Promise<InProcessResponse>;

/** Returns a function that sends requests to a listener, each on a connection in memory. */
export function makeCallApi(listener: RequestListener): CallApi {
  const server = createServer(listener);
  return function callApi({ method, path, headers, body, remoteAddress, ...limits }) {
    const [near, far] = duplexPair();
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    server.emit('connection', Object.assign(far, { remoteAddress }));
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return new Promise<InProcessResponse>((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(unavailable('the response broke off, send the request again', cause));
      const sent = request({
        method,
        path,
        headers: { host: 'localhost', ...headers, ...length },
        createConnection: () => near,
        signal: limits.signal,
      });
      sent.once('response', (response) => void readResponse(response, limits).then(resolve, fail));
      sent.on('error', fail);
      sent.end(body);
    }).finally(() => near.destroy());
  };
}

async function readResponse(
  response: IncomingMessage,
  { maxResponseBytes }: Pick<InProcessRequest, 'maxResponseBytes'>,
): Promise<InProcessResponse> {
  const chunks: Buffer[] = [];
  let [length, isComplete] = [0, true];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxResponseBytes - length));
    length += chunk.length;
    isComplete = length <= maxResponseBytes;
    if (!isComplete) break;
  }
  const { statusCode: status = 500, headers } = response;
  return { status, headers, body: Buffer.concat(chunks), isComplete };
}
