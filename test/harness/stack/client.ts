import { patience } from '@assay/testing';
import type { ApiResponse } from './response.js';
import { checkResponse } from './check-response.js';
import type { Stack } from './stack.js';

export type { ApiResponse } from './response.js';

export interface CallOptions {
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly bytes?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the stack's key; empty: no Authorization header. */
  readonly key?: string;
  /** Milliseconds until the call is aborted. */
  readonly timeoutMs?: number;
}

/** Only a broken stack takes so long; a test on a busy machine may wait. */
const TIMEOUT_MS = 60_000 * patience;

/** An HTTP client of a stack that validates every response against the schemas of the catalogue. */
export class Client {
  constructor(
    private readonly stack: Pick<Stack, 'baseUrl' | 'apiKey'>,
    private readonly key?: string,
  ) {}

  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
    const key = options.key ?? this.key ?? this.stack.apiKey;
    const headers: Record<string, string> = {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const body = options.bytes ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const reply = await fetch(this.stack.baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw withCause(`${method} ${path}`, error);
    });
    const text = await reply.text();
    const response: ApiResponse = {
      status: reply.status,
      headers: reply.headers,
      text,
      json: <T>() => JSON.parse(text) as T,
    };
    checkResponse(method, path, response);
    return response;
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<ApiResponse> {
    return this.call('POST', path, { ...options, body });
  }

  /** Searches once everything accepted so far is stored. */
  async search(query: object): Promise<{ events: Record<string, unknown>[]; count: number }> {
    const response = await this.post('/v1/events/search', query, { headers: { prefer: 'wait=30' } });
    if (response.status !== 200) throw new Error(`search returned ${response.status}: ${response.text}`);
    return response.json();
  }
}

/** `fetch failed` alone does not say what failed. */
function withCause(request: string, error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  return new Error(`${request}: ${error.message}, ${error.cause.message}`, { cause: error.cause });
}
