import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { derivedIds, type AcceptContext, type AcceptedEvent, type Caller } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { KnownRequests } from './known-requests.js';

export interface AcceptanceDeps {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A random UUID (version 4). */
  readonly newId: () => string;
  readonly knownRequests: KnownRequests;
}

/** What a create request is accepted with. */
export interface Acceptance {
  /** Gives ids and times to what the client left out. */
  readonly context: AcceptContext;
  /** Call once everything in the request is accepted, before it is stored; returns what is to be stored. */
  settle(accepted: readonly AcceptedEvent[]): readonly AcceptedEvent[];
}

/** Who sends a create request, and what it says: the operation's name and everything that the answer depends on. */
export interface CreateRequest {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
  readonly operation: string;
  readonly content: unknown;
}

const SANE_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Begins to accept a create request. Under an `Idempotency-Key` the ids that the client left out are derived from the key and the content, so that
 * the same request sent again makes the same events, also after a restart and in another process; keys of different projects have nothing to do with
 * each other.
 * @throws AppError `CONFLICT` when other content was accepted under the key within 24 hours, as far as this process knows; `VALIDATION_ERROR` for a
 * key that is no plain text
 */
export function makeOpenAcceptance(deps: AcceptanceDeps) {
  return function openAcceptance(request: CreateRequest): Acceptance {
    const key = keyOf(request.headers);
    const { projectId } = request.caller;
    if (key === undefined) return { context: { projectId, now: deps.now(), newId: deps.newId }, settle: (accepted) => accepted };

    const content = hash('sha256', JSON.stringify([request.operation, request.content]), 'hex');
    const known = deps.knownRequests.get(projectId, key);
    if (known && known.content !== content) throw new AppError('CONFLICT', 'Idempotency-Key was used for another request before');
    const at = known?.at ?? deps.now();
    return {
      context: { projectId, now: at, newId: derivedIds(projectId, key, content) },
      settle(accepted) {
        deps.knownRequests.add(projectId, key, { content, at });
        // Something older can exist under an id that is derived.
        return accepted.map((one) => ({ ...one, fresh: false }));
      },
    };
  };
}
export type OpenAcceptance = ReturnType<typeof makeOpenAcceptance>;

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !SANE_KEY.test(key)) throw validationError('Idempotency-Key must be 1 to 255 printable ASCII characters');
  return key;
}
