import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readBounded } from './read-bounded.js';

export interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly agent: HttpAgent;
  /** Ends the exchange at any point. */
  readonly signal: AbortSignal;
  /** Largest response after decompression. */
  readonly maxResponseBytes: number;
}

/** A whole response. */
export interface Exchanged {
  readonly status: number;
  readonly text: string;
  /** Its header `Date`. */
  readonly date?: string | undefined;
}

const MAX_SOCKETS = 256;
/** Shorter than the keep-alive timeout of the control plane, so that no request is sent on a connection that is closing. */
const IDLE_MS = 30_000;

/** Returns an agent for the protocol of the address, whose connections are kept open. */
export function defaultAgent(url: string): HttpAgent {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS };
  return url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
}

/** Sends a request and reads the response. Redirects are not followed. Rejects when there is no whole response. */
export async function exchange(options: Exchange): Promise<Exchanged> {
  const { url, method, headers, body, agent, signal, maxResponseBytes } = options;
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const request = send(url, { method, headers: { ...headers, 'accept-encoding': 'gzip' }, agent, signal });
  // Fails again when the exchange ends in the middle of the response, whose reader rejects then.
  request.on('error', () => undefined).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = await readBounded(decoded(response), maxResponseBytes);
  return { status: response.statusCode ?? 0, text, date: response.headers.date };
}

function decoded(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  // A failure of the response ends the decoder, which passes it to its reader.
  return pipeline(response, createGunzip(), () => undefined);
}
