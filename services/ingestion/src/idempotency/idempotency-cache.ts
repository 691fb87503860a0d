import { LRUCache } from 'lru-cache';
import type { AcceptedRequest, ControlPlane, RequestClaim } from '@assay/control-plane-client';

export type ClaimRequest = ControlPlane['claimRequest'];

/** Lifetime of a key. */
const KEY_TTL_MS = 24 * 3_600_000;
/**
 * No claim is sent for this long after a failure, so that an unavailable control plane does not slow down
 * requests.
 */
const COOLDOWN_MS = 5_000;

export interface IdempotencyCacheOptions {
  /** LRU capacity. */
  readonly maxRequests: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Claims a key durably and for all processes. */
  readonly claimRequest: ClaimRequest;
  /** Called when a claim fails and the local cache is used alone. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Returns a function that claims keys at the control plane and caches the responses, so that most retries
 * need no call. While the control plane is unreachable, the local cache alone decides: accepting requests
 * never depends on it.
 */
export function makeIdempotencyCache({
  maxRequests,
  now,
  claimRequest,
  onFailure,
}: IdempotencyCacheOptions): ClaimRequest {
  const claimed = new LRUCache<string, AcceptedRequest>({ max: maxRequests });
  let retryAt = 0;

  async function claimRemotely(claim: RequestClaim): Promise<AcceptedRequest> {
    const own = { content: claim.content, at: claim.at };
    if (now() < retryAt) return own;
    try {
      return await claimRequest(claim);
    } catch (error) {
      retryAt = now() + COOLDOWN_MS;
      onFailure(error);
      return own;
    }
  }

  return async function claimCached(claim) {
    const name = `${claim.projectId}/${claim.key}`;
    const found = claimed.get(name);
    if (found && claim.at - found.at < KEY_TTL_MS) return found;
    const first = await claimRemotely(claim);
    // Of two concurrent claims without a response of the control plane, the one that was cached first wins.
    const concurrent = claimed.get(name);
    if (concurrent && concurrent !== found) return concurrent;
    claimed.set(name, first);
    return first;
  };
}
