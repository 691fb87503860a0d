import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError, isRetryable } from '@assay/errors';
import type { ControlPlane } from '../control-plane.js';
import type { DataPlane, IdentifyDataPlane } from '../data-plane/data-plane.js';
import { UnauthorisedProjectError } from '../data-plane/unauthorised-project-error.js';
import {
  CHECK_PATH,
  DATAPOINTS_PATH,
  EVENTS_PATH,
  INTERNAL_ROUTES,
  type InternalRoute,
} from './internal-routes.js';
import { readBody } from './read-body.js';

/** Batches of events, and of datapoints, of up to 32 MiB each, that are read at the same time; the data plane tries again. */
const MAX_BATCHES = 4;

interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface InternalApiOptions {
  readonly controlPlane: ControlPlane;
  /** Asked for each request, before its body is read. */
  readonly identify: IdentifyDataPlane;
  /** Hears of failures that may pass. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The control plane's end of the HTTP adapter, for requests whose path begins with `/internal/v1/`. All routes want
 * `Authorization: Bearer <token of the data plane>`, and nothing is answered about a project that the token is not bound to.
 *
 * - `POST /internal/v1/keys/authenticate` `{key}` → 200 `{caller}`, null when the key is unknown, revoked, expired or of another project
 * - `POST /internal/v1/events` `{events}` of at most 32 MiB → 200 `{kept}`, their number, once they are kept
 * - `POST /internal/v1/queues/entries` a query → 200 `{page}`, null when there is no such queue
 * - `POST /internal/v1/queues/filters` a queue's name → 200 `{filters}`, null when there is none
 * - `POST /internal/v1/queues/add` a queue's name and `eventIds` → 200 `{added}`, false when there is none
 * - `POST /internal/v1/queues/metrics` an event of a queue and `names` → 200 `{metrics}`, null when it is not in the queue
 * - `POST /internal/v1/queues/mark` an event of a queue, `done` and `by` → 200 `{entry}`, null when it is not in the queue
 * - `POST /internal/v1/datapoints` a target, `datapoints` and `by`, at most 32 MiB → 200 `{created}`, false when there is no such dataset
 * - `POST /internal/v1/requests/claim` a claim → 200 `{first}`, the request that is kept under the key
 * - `GET /internal/v1/check` → 200 `{ok: true}`
 *
 * Every other answer is `{statusCode, message, success: false, errorCode}`; 400 and 413 mean that the same request will never succeed, 403
 * that the token is not bound to the projects in `projectIds`.
 */
export function createInternalApi(options: InternalApiOptions): RequestListener {
  const answerTo = makeAnswerTo(options);
  return (request, response) => {
    void answerTo(request)
      .catch((error: unknown) => {
        if (isRetryable(error)) options.onError?.(error);
        return refusal(error);
      })
      .then((answer) => send(request, response, answer));
  };
}

function makeAnswerTo({
  controlPlane,
  identify,
}: InternalApiOptions): (request: IncomingMessage) => Promise<Answer> {
  const routes = new Map(INTERNAL_ROUTES.map((route) => [`POST ${route.path}`, route]));
  const turns = new Map([EVENTS_PATH, DATAPOINTS_PATH].map((path) => [path, makeTurns(MAX_BATCHES)]));
  return async (request) => {
    const dataPlane = await requireDataPlane(request, identify);
    const operation = `${request.method} ${request.url}`;
    if (operation === `GET ${CHECK_PATH}`)
      return controlPlane.check().then(() => ({ status: 200, body: { ok: true } }));
    const route = routes.get(operation);
    if (!route) throw new AppError('NOT_FOUND', 'no such internal route');
    const answer = () => answered(route, request, dataPlane, controlPlane);
    const takeTurn = turns.get(route.path);
    return takeTurn ? takeTurn(answer) : answer();
  };
}

async function requireDataPlane(request: IncomingMessage, identify: IdentifyDataPlane): Promise<DataPlane> {
  const token = /^bearer (\S{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1];
  const dataPlane = token === undefined ? undefined : await identify(token);
  if (!dataPlane) throw new AppError('UNAUTHORIZED', 'the token of a data plane is needed');
  return dataPlane;
}

async function answered(
  route: InternalRoute,
  request: IncomingMessage,
  dataPlane: DataPlane,
  controlPlane: ControlPlane,
): Promise<Answer> {
  const body = await readBody(request, route.maxBytes);
  return { status: 200, body: await route.answer(body, dataPlane, controlPlane) };
}

/** Runs so many at a time, and refuses the others with `OVERLOADED`. */
function makeTurns(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (run) => {
    if (running >= most) throw new AppError('OVERLOADED', 'too many batches at a time');
    running++;
    return run().finally(() => running--);
  };
}

/** What may pass is answered in general words: its cause is for the log of this side. */
function refusal(error: unknown): Answer {
  const { status, code, message } =
    error instanceof AppError && !(error.retryable && error.code !== 'OVERLOADED')
      ? error
      : new AppError('UNAVAILABLE', 'the control plane cannot answer now');
  const foreign = error instanceof UnauthorisedProjectError && { projectIds: error.projectIds };
  return { status, body: { statusCode: status, message, success: false, errorCode: code, ...foreign } };
}

function send(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
  const unread = !request.complete && request.method === 'POST';
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(unread && { connection: 'close' }),
  });
  response.end(JSON.stringify(body));
}
