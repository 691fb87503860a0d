import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { derivedIds, type AcceptContext, type AcceptedEvent, type Caller } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { YieldToEventLoop } from '@assay/runtime';
import type { ClaimRequest } from './idempotency-cache.js';

export interface AcceptanceDeps {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A random UUID (version 4). */
  readonly newId: () => string;
  readonly claimRequest: ClaimRequest;
}

/** Who sends a create request, and what it says: the operation's name and everything that the answer depends on. */
export interface CreateRequest {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
  readonly operation: string;
  readonly content: unknown;
  /** Absent: what it holds is stored in one go. */
  readonly yieldToEventLoop?: YieldToEventLoop;
}

/** What a request has made. */
export interface Acceptance<T> {
  readonly made: T;
  /** The events among it as they are to be stored. */
  readonly asSent: (accepted: readonly AcceptedEvent[]) => readonly AcceptedEvent[];
}

const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Accepts a create request. `make` is given ids and a time for what the client left out; it throws when the request is refused, and may be called again
 * with another time. Under an `Idempotency-Key` the ids are derived from the key and the content, so that the same request sent again makes the same
 * events, also after a restart and in another process; keys of different projects have nothing to do with each other. A request that is refused
 * uses no key up.
 * @throws AppError `CONFLICT` when other content was accepted under the key within 24 hours, as far as can be asked; `VALIDATION_ERROR` for a key that
 * is no plain text
 */
export function makeWithIdempotency(deps: AcceptanceDeps) {
  return async function withIdempotency<T>(
    request: CreateRequest,
    make: (context: AcceptContext) => T,
  ): Promise<Acceptance<T>> {
    const key = keyOf(request.headers);
    const { projectId } = request.caller;
    const now = deps.now();
    if (key === undefined)
      return { made: make({ projectId, now, newId: deps.newId }), asSent: (accepted) => accepted };

    const content = sha256(JSON.stringify([request.operation, request.content]));
    const makeAt = (at: number) => make({ projectId, now: at, newId: derivedIds(projectId, key, content) });
    const made = makeAt(now);
    const first = await deps.claimRequest({ projectId, key: sha256(key), content, at: now });
    if (first.content !== content)
      throw new AppError('CONFLICT', 'Idempotency-Key was used for another request before');
    // Something older can exist under an id that is derived.
    const asSent = (accepted: readonly AcceptedEvent[]) => accepted.map((one) => ({ ...one, fresh: false }));
    return { made: first.at === now ? made : makeAt(first.at), asSent };
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
