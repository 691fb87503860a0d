import type { Route } from '@assay/contracts';
import { parseExactJson } from '@assay/domain';
import type { CallApi, IncomingRequest, InProcessResponse, RequestContext } from '@assay/http';
import { ToolError, type CallRoute, type RouteRequest, type RouteResponse } from './tool.js';

/** Bytes of a response of the API that are held in memory for one result. */
const MAX_RESPONSE_BYTES = 4 * 1024 ** 2;
/** Headers of the client that its calls of the API have too. Addresses count as far as the client's own connection may state them. */
const PASSED_HEADERS = ['authorization', 'prefer', 'x-forwarded-for'];

type Sender = Pick<RequestContext<unknown>, 'signal' | 'requestId' | 'headers' | 'runInTurns'> &
  Pick<IncomingRequest, 'http'>;

/** Returns a function that calls routes as the sender of a request, one at a time: a batch of calls costs a project what one call costs. */
export function makeCallRoute(
  callApi: CallApi,
  { signal, requestId, headers, http, runInTurns }: Sender,
): CallRoute {
  const passed = PASSED_HEADERS.flatMap((name): [string, string | string[]][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  const sent = { ...Object.fromEntries(passed), 'x-request-id': requestId, accept: 'application/json' };
  let last: Promise<unknown> = Promise.resolve();
  const parsable = ({ status, headers: received, body }: InProcessResponse): RouteResponse => ({
    status,
    headers: received,
    body,
    parse: () => runInTurns(parseSteps(body)),
  });
  const send = (route: Route, { body, range, ...address }: RouteRequest) =>
    callApi({
      method: route.method,
      path: pathOf(route, address),
      headers: {
        ...sent,
        ...(range !== undefined && { range }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      remoteAddress: http?.request.socket.remoteAddress,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
    }).then((response) => parsable(checked(response)));
  return (route, request) => {
    const result = last.then(() => send(route, request));
    last = result.catch(() => undefined);
    return result;
  };
}

function* parseSteps(body: Buffer) {
  const text = body.toString();
  yield;
  return parseExactJson(text);
}

function pathOf({ path }: Route, { params = {}, query = {} }: RouteRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function checked(response: InProcessResponse): InProcessResponse {
  const { status, headers, body, isComplete } = response;
  if (status >= 400) throw new ToolError(messageOf(body.toString(), status, headers['retry-after']));
  if (!isComplete)
    throw new ToolError(
      `the response is longer than ${MAX_RESPONSE_BYTES} bytes: ask for less, for example with filters or a limit`,
    );
  return response;
}

/** Errors of the API name the field that is wrong, never its value. */
function messageOf(body: string, status: number, retryAfter: string | undefined): string {
  const { message, errorCode } = JSON.parse(body) as {
    readonly message?: unknown;
    readonly errorCode?: unknown;
  };
  const later = retryAfter === undefined ? '' : `; retry after ${retryAfter} s`;
  return `${String(message)} (${String(errorCode)}, ${status}${later})`;
}
