import { ApiError, OfflineError } from '../api/call.js';

/** What a worker can do: functions of one argument that return what can be sent. */
export type WorkerFunctions = Readonly<Record<string, (request: never) => unknown>>;

export interface WorkerRequest {
  readonly id: number;
  readonly name: string;
  readonly request: unknown;
}

export type WorkerResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: SentError };

/** An error without its class, which messages lose. */
export interface SentError {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly isOffline?: boolean;
}

export function toSentError(error: unknown): SentError {
  if (error instanceof ApiError) {
    const { message, status, code, requestId, retryAfterSeconds } = error;
    return { message, status, code, requestId, retryAfterSeconds };
  }
  if (error instanceof OfflineError) return { message: error.message, isOffline: true };
  return { message: error instanceof Error ? error.message : 'the worker failed' };
}

export function fromSentError(sent: SentError): Error {
  if (sent.isOffline === true) return new OfflineError();
  if (sent.status === undefined) return new Error(sent.message);
  const retryAfter = sent.retryAfterSeconds;
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  const { message, code: errorCode, requestId } = sent;
  return new ApiError(new Response(null, { status: sent.status, headers }), {
    message,
    errorCode,
    requestId,
  });
}
