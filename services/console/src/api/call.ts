import { ApiError, OfflineError, toApiError } from './errors.js';
import { parseExact } from './parse-exact.js';
import { requireSignIn } from './signed-out.js';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The project on whose behalf the key is used. Absent on routes of the console itself. */
  readonly project?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | object | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The request outlives the page: for what a tab says when it closes. Its body has at most 64 KB. */
  readonly keepalive?: boolean;
}

/** Sends a request and returns the JSON of its response. @throws ApiError, OfflineError */
export async function call<Response>(request: Call): Promise<Response> {
  const response = await send(request);
  return (await response.json()) as Response;
}

/** As {@link call}, with values that clients chose: integers beyond 2^53 are `bigint`. @throws ApiError, OfflineError */
export async function callExact<Response>(request: Call): Promise<Response> {
  const response = await send(request);
  return parseExact(await response.text()) as Response;
}

/**
 * Sends a request. A 401 also asks for the key, in a dialog over the page, unless the request is one of signing in.
 * @throws ApiError for every status but 2xx and 304; OfflineError when there is no response
 */
export async function send(request: Call): Promise<Response> {
  const { method, path, project, query, body, headers, signal, keepalive } = request;
  const response = await fetch(`${path}${queryText(query)}`, {
    method,
    signal,
    ...(keepalive === true && { keepalive }),
    credentials: 'same-origin',
    headers: {
      ...(project !== undefined && { 'Assay-Project': project }),
      ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new OfflineError();
  });
  if (response.ok || response.status === 304) return response;
  const error = await toApiError(response);
  if (error.status === 401 && project !== undefined) requireSignIn(project);
  throw error;
}

/** Objects are sent as JSON, as the routes read them. */
function queryText(query: Call['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined)
      parameters.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

export { ApiError, OfflineError };
