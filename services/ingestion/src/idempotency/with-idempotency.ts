import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { derivedIds, type AcceptContext, type AcceptedEvent, type Caller } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import type { RecordedSpan } from '@assay/telemetry';
import { contentHashSteps } from './content-hash.js';
import type { ClaimRequest } from './idempotency-cache.js';

export interface AcceptanceDeps {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A random UUID (version 4). */
  readonly newId: () => string;
  readonly claimRequest: ClaimRequest;
  /** Maximum size of an event in bytes of JSON; absent: that of the domain. */
  readonly maxEventBytes?: number | undefined;
}

/** A create request: its caller, the operation, and all content that the response depends on. */
export interface CreateRequest {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
  readonly operation: string;
  readonly content: unknown;
  /** Called between the steps of its work. */
  readonly yieldToEventLoop: YieldToEventLoop;
  /** Span of the request; undefined when it is not traced. */
  readonly trace?: RecordedSpan | undefined;
}

/** The result of accepting a request. */
export interface Acceptance<T> {
  readonly value: T;
  /** Returns the accepted events in the form in which they are stored. */
  readonly forStorage: (accepted: readonly AcceptedEvent[]) => readonly AcceptedEvent[];
}

const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns a function that accepts a create request. `make` receives ids and a time for what the client
 * omitted; it throws or rejects to reject the request, and may be called again with another time. Under an
 * `Idempotency-Key` the ids are derived from the key and the content, so that a repeated request makes the
 * same events, even after a restart or in another process. Keys are scoped to their project. A rejected
 * request does not consume its key.
 * @throws AppError `CONFLICT` when other content was accepted under the key within 24 hours, as far as is
 * known; `VALIDATION_ERROR` for a key that is not plain text
 */
export function makeWithIdempotency(deps: AcceptanceDeps) {
  return async function withIdempotency<T>(
    request: CreateRequest,
    make: (context: AcceptContext) => T | Promise<T>,
  ): Promise<Acceptance<T>> {
    const key = keyOf(request.headers);
    const { projectId } = request.caller;
    const now = deps.now();
    const limits = deps.maxEventBytes === undefined ? {} : { maxBytes: deps.maxEventBytes };
    if (key === undefined) {
      const context = { projectId, now, newId: deps.newId, ...limits };
      return { value: await make(context), forStorage: (accepted) => accepted };
    }

    const hashing = contentHashSteps(request.operation, request.content);
    const content = await runCooperatively(hashing, request.yieldToEventLoop);
    const makeAt = (at: number) =>
      make({ projectId, now: at, newId: derivedIds(projectId, key, content), ...limits });
    const value = await makeAt(now);
    const first = await deps.claimRequest({ projectId, key: sha256(key), content, at: now });
    if (first.content !== content)
      throw new AppError('CONFLICT', 'Idempotency-Key was already used for another request');
    // An older event may exist under a derived id.
    const forStorage = (accepted: readonly AcceptedEvent[]) =>
      accepted.map((one) => ({ ...one, fresh: false }));
    return { value: first.at === now ? value : await makeAt(first.at), forStorage };
  };
}
export type WithIdempotency = ReturnType<typeof makeWithIdempotency>;

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(key))
    throw validationError('Idempotency-Key must be 1 to 255 printable ASCII characters');
  return key;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
