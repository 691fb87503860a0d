import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@assay/runtime';
import type { ProviderEndpoint } from './judge-options.js';
import { JudgeFault } from './judge-fault.js';
import { OutboundError } from './outbound/outbound-error.js';
import type { OutboundHttp, OutboundRequest, OutboundResponse } from './outbound/outbound-http.js';
import { ADAPTERS } from './providers/adapters.js';
import type { Completion, ModelPrompt } from './providers/provider-call.js';
import { readErrorCode } from './providers/read-error-code.js';
import { retryAfterMs } from './retry-after.js';

/** The provider limits the rate, or it is unavailable or overloaded, or what is before it says so. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504, 529]);

export interface ModelCall {
  readonly endpoint: ProviderEndpoint;
  readonly prompt: ModelPrompt;
  readonly allowedHosts: readonly string[];
}

export interface CallContext {
  readonly http: OutboundHttp;
  /** Aborts when the total time is used up. */
  readonly signal: AbortSignal;
  /** Time that is left, in milliseconds. */
  readonly remainingMs: () => number;
  readonly random: () => number;
  /** Requests that may be sent, from 1. */
  readonly maxAttempts: number;
  /** Whether the caller repeats what ended only because the provider is unavailable or busy. */
  readonly isRepeated: boolean;
  /** Called before each request, which is sent when the call has resolved. */
  readonly onAttempt: () => Promise<void>;
  /** Called after each response, whatever its status. */
  readonly onResponse: () => void;
}

/**
 * Asks a model. Repeats the request up to `maxAttempts`: on status 429 and 5xx, when connecting times out, and when the provider closed an idle connection. Waits as long as `Retry-After`
 * says, at least the backoff, and only if the time suffices.
 * @throws JudgeFault `execution_error` when there is no completion
 */
export async function callModel(call: ModelCall, context: CallContext): Promise<Completion> {
  const { request, read } = ADAPTERS[call.endpoint.api];
  const { url, headers, body } = buildRequest(() => request(call.endpoint, call.prompt));
  const outbound = { url, headers, body: JSON.stringify(body), allowedHosts: call.allowedHosts };
  for (let attempt = 0; ; attempt++) {
    await context.onAttempt();
    const result = await post(outbound, context);
    if (!(result instanceof JudgeFault)) return readCompletion(result, read);
    if (context.isRepeated && result.repetition !== undefined) throw result;
    const waitMs = Math.max(result.retryAfterMs ?? 0, backoffMs(attempt, context.random()));
    if (!result.retryable || attempt + 1 >= context.maxAttempts || waitMs >= context.remainingMs())
      throw result;
    await delay(waitMs, undefined, { signal: context.signal }).catch(() => {
      throw result;
    });
  }
}

/** A base URL that cannot be parsed is a mistake of the configuration. */
function buildRequest<Request>(build: () => Request): Request {
  try {
    return build();
  } catch (cause) {
    throw new JudgeFault('execution_error', 'the URL of the provider is not valid', { cause });
  }
}

async function post(
  request: OutboundRequest,
  { http, signal, onResponse }: CallContext,
): Promise<OutboundResponse | JudgeFault> {
  try {
    const response = await http.post(request, signal);
    onResponse();
    return response.status === 200 ? response : statusFault(response);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const retryable = error.reason !== 'refused' && error.reason !== 'too_large';
    const isConnecting = error.reason === 'timeout' && !signal.aborted;
    const isUnsent = error.reason === 'stale' || error.reason === 'unconnected' || isConnecting;
    const repetition = !retryable || error.reason === 'aborted' ? undefined : isUnsent ? 'soon' : 'rarely';
    const fault = new JudgeFault('execution_error', error.message, { retryable, repetition, cause: error });
    // A request that may have reached the model is not retried.
    if (error.reason === 'stale' || isConnecting) return fault;
    throw fault;
  }
}

function statusFault({ status, retryAfter, body }: OutboundResponse): JudgeFault {
  if (status >= 300 && status < 400)
    return new JudgeFault(
      'execution_error',
      `the provider responded with a redirect (${status}), which is not followed`,
    );
  const code = readErrorCode(body);
  const message = `the provider responded ${status}${code === undefined ? '' : ` (${code})`}`;
  const retryable = status === 429 || status >= 500;
  const isBusy = BUSY_STATUSES.has(status);
  return new JudgeFault('execution_error', message, {
    retryable,
    repetition: isBusy ? 'soon' : undefined,
    retryAfterMs: retryable ? retryAfterMs(retryAfter, Date.now()) : undefined,
  });
}

function readCompletion(
  { body }: OutboundResponse,
  read: (body: unknown) => Completion | undefined,
): Completion {
  const completion = read(parseJson(body));
  if (completion === undefined)
    throw new JudgeFault('execution_error', 'the response of the provider has no completion');
  return completion;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new JudgeFault('execution_error', 'the response of the provider is not valid JSON');
  }
}
