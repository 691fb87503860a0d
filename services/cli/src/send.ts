import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TlsOptions } from './connection.js';

export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly tls: TlsOptions;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The header `Retry-After` in milliseconds; absent when there is none. */
  readonly retryAfterMs?: number;
}

/** Sends one request and reads its response; redirects are not followed. @throws the error of the connection, with a `code` */
export async function send(target: URL, outgoing: Outgoing): Promise<Reply> {
  return readReply(await open(target, outgoing));
}

/** Reads the rest of a response. */
export async function readReply(response: IncomingMessage): Promise<Reply> {
  const seconds = Number(response.headers['retry-after']);
  return {
    status: response.statusCode ?? 0,
    text: await text(response),
    ...(Number.isFinite(seconds) && seconds >= 0 && { retryAfterMs: seconds * 1_000 }),
  };
}

/** Sends one request and returns its response before its body is read; see {@link send}. */
export async function open(
  target: URL,
  { body, timeoutMs, tls, ...rest }: Outgoing,
): Promise<IncomingMessage> {
  const options = { ...rest, signal: AbortSignal.timeout(timeoutMs) };
  const outgoing =
    target.protocol === 'https:'
      ? requestTls(target, { ...options, ...defined(tls) })
      : requestPlain(target, options);
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/** Node takes an undefined server name for an empty one. */
function defined(tls: TlsOptions): TlsOptions {
  return Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
}
