import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError, isRetryable, validationError } from '@assay/errors';
import type { ControlPlane } from '../control-plane.js';
import { decodeBatch, MAX_FORWARD_BYTES } from './forwarded-batch.js';
import { readEntryQuery, readEventIds, readQueueName } from './queue-bodies.js';
import { readBody } from './read-body.js';

export const AUTHENTICATE_PATH = '/internal/v1/keys/authenticate';
export const EVENTS_PATH = '/internal/v1/events';
export const QUEUE_ENTRIES_PATH = '/internal/v1/queues/entries';
export const QUEUE_FILTERS_PATH = '/internal/v1/queues/filters';
export const QUEUE_ADD_PATH = '/internal/v1/queues/add';
export const CHECK_PATH = '/internal/v1/check';

/** A request that names a thing, or up to 1,000 of them; whoever sends more does not speak this protocol. */
const MAX_NAMING_BYTES = 16_384;
const MAX_IDS_BYTES = 262_144;
/** Requests with a body of {@link MAX_FORWARD_BYTES} that are read at the same time; the data plane tries again. */
const MOST_BATCHES = 4;

interface Answer {
  readonly status: number;
  readonly body: object;
}

type InternalRoute = (request: IncomingMessage) => Promise<object>;

/**
 * The control plane's end of the HTTP adapter, for requests whose path begins with `/internal/v1/`. All routes want
 * `Authorization: Bearer <token>`.
 *
 * - `POST /internal/v1/keys/authenticate` `{key}` → 200 `{caller}`, null when the key is unknown, revoked or expired
 * - `POST /internal/v1/events` `{events}` of at most 32 MiB → 200 `{kept}`, their number, once they are kept
 * - `POST /internal/v1/queues/entries` a query → 200 `{page}`, null when there is no such queue
 * - `POST /internal/v1/queues/filters` a queue's name → 200 `{filters}`, null when there is none
 * - `POST /internal/v1/queues/add` a queue's name and `eventIds` → 200 `{added}`, false when there is none
 * - `GET /internal/v1/check` → 200 `{ok: true}`
 *
 * Every other answer is `{statusCode, message, success: false, errorCode}`; 400 and 413 mean that the same request will never succeed.
 */
export function createInternalApi(deps: {
  readonly controlPlane: ControlPlane;
  readonly token: string;
  readonly onError?: (error: unknown) => void;
}): RequestListener {
  const isToken = tokenCheck(deps.token);
  const routes = routesOf(deps.controlPlane);
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    if (!isToken(request.headers.authorization ?? '')) throw new AppError('UNAUTHORIZED', 'the token of the control plane is needed');
    const operation = `${request.method} ${request.url}`;
    if (operation === `GET ${CHECK_PATH}`) return deps.controlPlane.check().then(() => ({ status: 200, body: { ok: true } }));
    const route = routes.get(operation);
    if (!route) throw new AppError('NOT_FOUND', 'no such internal route');
    return { status: 200, body: await route(request) };
  };
  return (request, response) => {
    void answerTo(request)
      .catch((error: unknown) => {
        if (isRetryable(error)) deps.onError?.(error);
        return refusal(error);
      })
      .then((answer) => send(request, response, answer));
  };
}

function routesOf(controlPlane: ControlPlane): ReadonlyMap<string, InternalRoute> {
  const authenticate: InternalRoute = async (request) => {
    const key = keyIn(await readBody(request, MAX_NAMING_BYTES));
    return { caller: (await controlPlane.authenticate(key)) ?? null };
  };
  const forward: InternalRoute = async (request) => {
    const batch = decodeBatch(await readBody(request, MAX_FORWARD_BYTES));
    await controlPlane.forwardEvents(batch);
    return { kept: batch.length };
  };
  const queueEntries: InternalRoute = async (request) => {
    const query = readEntryQuery(await readBody(request, MAX_NAMING_BYTES));
    return { page: (await controlPlane.queueEntries(query)) ?? null };
  };
  const queueFilters: InternalRoute = async (request) => {
    const queue = readQueueName(await readBody(request, MAX_NAMING_BYTES));
    return { filters: (await controlPlane.queueFilters(queue)) ?? null };
  };
  const addToQueue: InternalRoute = async (request) => {
    const body = await readBody(request, MAX_IDS_BYTES);
    return { added: await controlPlane.addToQueue(readQueueName(body), readEventIds(body)) };
  };
  return new Map([
    [`POST ${AUTHENTICATE_PATH}`, authenticate],
    [`POST ${QUEUE_ENTRIES_PATH}`, queueEntries],
    [`POST ${QUEUE_FILTERS_PATH}`, queueFilters],
    [`POST ${QUEUE_ADD_PATH}`, addToQueue],
    [`POST ${EVENTS_PATH}`, atMost(MOST_BATCHES, forward)],
  ]);
}

/** Reads and answers so many requests at a time, and refuses the others with `OVERLOADED`. */
function atMost(most: number, answer: InternalRoute): InternalRoute {
  let running = 0;
  return async (request) => {
    if (running >= most) throw new AppError('OVERLOADED', 'too many batches of events at a time');
    running++;
    return answer(request).finally(() => running--);
  };
}

function keyIn(body: unknown): string {
  const key: unknown = typeof body === 'object' && body !== null && 'key' in body ? body.key : undefined;
  if (typeof key !== 'string') throw validationError('body must be an object with key, a string');
  return key;
}

/** What may pass is answered in general words: its cause is for the log of this side. */
function refusal(error: unknown): Answer {
  const { status, code, message } =
    error instanceof AppError && !(error.retryable && error.code !== 'OVERLOADED')
      ? error
      : new AppError('UNAVAILABLE', 'the control plane cannot answer now');
  return { status, body: { statusCode: status, message, success: false, errorCode: code } };
}

function send(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
  const unread = !request.complete && request.method === 'POST';
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...(unread && { connection: 'close' }) });
  response.end(JSON.stringify(body));
}

/** Compares digests, so that the time taken says nothing about how much of the token is right. */
function tokenCheck(token: string): (header: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const wanted = digest(`Bearer ${token}`);
  return (header) => timingSafeEqual(digest(header), wanted);
}
