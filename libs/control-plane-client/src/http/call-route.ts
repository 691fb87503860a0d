import type { Agent } from 'node:http';
import { compile, internalApi, type ResponseOf, type Route } from '@assay/contracts';
import { parseExactJson } from '@assay/domain';
import { AppError, unavailable } from '@assay/errors';
import { linkSignals } from '@assay/runtime';
import type { CallOptions } from '../control-plane.js';
import { exchange, type Exchange, type Exchanged } from './exchange.js';

/** A response that is not a success, as far as it can be read. */
export interface Refusal {
  readonly status: number;
  readonly error: internalApi.InternalError | undefined;
}

/** The outcome of a call: the checked body of a 200, or a refusal. */
export type Outcome<R extends Route> =
  | { readonly body: ResponseOf<R>; readonly refusal?: undefined }
  | { readonly refusal: Refusal };

/**
 * Calls one route. `json` is the body as JSON text; absent for a route without a body.
 * @throws AppError `UNAVAILABLE` when there is no response in time, or a 200 that does not match the route's schema
 */
export type CallRoute<R extends Route> = (json?: string, calling?: RouteCallOptions) => Promise<Outcome<R>>;

export interface RouteCallOptions extends CallOptions {
  /** Longest duration of the call; that of the connection when absent. */
  readonly timeoutMs?: number;
}

export interface ConnectionOptions {
  /** Largest response; 4 MiB when absent. */
  readonly maxResponseBytes?: number;
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
  /** Name of the other service in errors; `control plane` when absent. */
  readonly peer?: string;
  /** Opens the connections. */
  readonly agent: Agent;
}

/** The largest response carries about 1,000 events of a queue, or the filters of one. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Codes by which the control plane rejects a request for ever. A proxy may send the same status, so only the code counts. */
const FINAL_CODES = ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'] as const;

/**
 * Makes the calls of one route, on connections that are kept open. Redirects are not followed. A call that only reads is repeated once when its
 * connection breaks, and a look-up also when its connection stays silent for a third of the time.
 */
export function makeCallRoute<R extends Route>(route: R, options: ConnectionOptions): CallRoute<R> {
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  const checkResponse = compile(route.response, 'response');
  return async (json, { timeoutMs = options.timeoutMs, signal: caller } = {}) => {
    const { signal, unlink } = linkSignals(caller === undefined ? [] : [caller], timeoutMs);
    const { agent, maxResponseBytes = MAX_RESPONSE_BYTES, peer = 'control plane' } = options;
    const url = options.url + route.path;
    const request = { url, method: route.method, headers, body: json, agent, signal, maxResponseBytes };
    const silentMs = route.readOnly === true ? timeoutMs / 3 : undefined;
    const isRepeatable = silentMs !== undefined || route.method === 'GET';
    const send = isRepeatable ? () => exchangeAgain(request, silentMs) : () => exchange(request);
    const { status, body } = await exchangeJson(send, peer).finally(unlink);
    if (status !== 200) return { refusal: { status, error: errorOf(body) } };
    try {
      return { body: checkResponse(body) as ResponseOf<R> };
    } catch (cause) {
      throw unavailable(`invalid response from the ${peer} to ${route.operation}`, cause);
    }
  };
}

async function exchangeJson(
  send: () => Promise<Exchanged>,
  peer: string,
): Promise<{ status: number; body: unknown }> {
  try {
    const { status, text } = await send();
    return { status, body: parseExactJson(text) };
  } catch (cause) {
    throw unavailable(`${peer} unreachable`, cause);
  }
}

/**
 * Repeats an exchange once whose connection broke, or, after `silentMs`, has no response: a proxy may close a connection that idles, a process
 * that ends does, and a machine that is lost ends it without a word. The first response counts.
 */
async function exchangeAgain(request: Exchange, silentMs?: number): Promise<Exchanged> {
  const responded = new AbortController();
  const { signal, unlink } = linkSignals([request.signal, responded.signal]);
  const first = exchange({ ...request, signal });
  const second = async () => {
    if (!(await mustRepeat(first, silentMs))) return first;
    closeIdle(request.agent);
    return exchange({ ...request, signal });
  };
  try {
    return await Promise.any([first, second()]);
  } catch (cause) {
    throw cause instanceof AggregateError ? cause.errors.at(-1) : cause;
  } finally {
    responded.abort();
    unlink();
  }
}

/** Resolves with whether an exchange broke, or is still without a response after `silentMs`. */
async function mustRepeat(exchanged: Promise<Exchanged>, silentMs: number | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<boolean>((resolve) => {
    if (silentMs !== undefined) timer = setTimeout(resolve, silentMs, true).unref();
  });
  try {
    return await Promise.race([exchanged.then(() => false, isBroken), silent]);
  } finally {
    clearTimeout(timer);
  }
}

/** The other connections to a machine that is lost are no better. */
function closeIdle({ freeSockets }: Agent): void {
  for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function isBroken(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE';
}

const checkError = compile(internalApi.internalError, 'response');

function errorOf(body: unknown): Refusal['error'] {
  try {
    return checkError(body);
  } catch {
    return undefined;
  }
}

/** Returns the body of a 200 of the control plane. @throws AppError `FORBIDDEN` when the token is not bound to the project, else `UNAVAILABLE` */
export function succeeded<R extends Route>(outcome: Outcome<R>): ResponseOf<R> {
  if (outcome.refusal === undefined) return outcome.body;
  if (unauthorisedProjects(outcome.refusal).length > 0)
    throw new AppError('FORBIDDEN', 'this data plane may not act for the project');
  throw unavailable(
    'control plane unavailable',
    new Error(`it responded with status ${outcome.refusal.status}`),
  );
}

/** Returns the projects that the token of this data plane is not bound to, according to the refusal. */
export function unauthorisedProjects(refusal: Refusal | undefined): readonly string[] {
  const isUnauthorised = refusal?.status === 403 && refusal.error?.errorCode === 'FORBIDDEN';
  return isUnauthorised ? (refusal.error.projectIds ?? []) : [];
}

/** @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE` when the control plane will never accept the request */
export function throwIfFinal(refusal: Refusal | undefined, message: string): void {
  const code = FINAL_CODES.find((final) => final === refusal?.error?.errorCode);
  if (code) throw new AppError(code, message);
}
