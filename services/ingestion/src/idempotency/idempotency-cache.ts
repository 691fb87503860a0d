import { LRUCache } from 'lru-cache';
import type { AcceptedRequest, ControlPlane, RequestClaim } from '@assay/control-plane-client';

export type ClaimRequest = ControlPlane['claimRequest'];

/** How long a key is remembered. */
const REMEMBERED_MS = 24 * 3_600_000;
/** How long nobody is asked after asking has failed: a control plane that is away must not slow down what is accepted without it. */
const COOLDOWN_MS = 5_000;

export interface IdempotencyCacheOptions {
  /** Beyond them the one that was used longest ago is forgotten. */
  readonly maxRequests: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Keeps requests durably and for all processes. */
  readonly claimRequest: ClaimRequest;
  /** Hears that this process goes on by itself, and why. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Claims keys at the control plane, and remembers the answers, so that most retries ask nobody. While the control plane cannot be asked, the memory of
 * this process decides alone: accepting never depends on it.
 */
export function makeIdempotencyCache({
  maxRequests,
  now,
  claimRequest,
  onFailure,
}: IdempotencyCacheOptions): ClaimRequest {
  const known = new LRUCache<string, AcceptedRequest>({ max: maxRequests });
  let askAgainAt = 0;

  async function ask(claim: RequestClaim): Promise<AcceptedRequest> {
    const own = { content: claim.content, at: claim.at };
    if (now() < askAgainAt) return own;
    try {
      return await claimRequest(claim);
    } catch (error) {
      askAgainAt = now() + COOLDOWN_MS;
      onFailure(error);
      return own;
    }
  }

  return async function claimKnown(claim) {
    const name = `${claim.projectId}/${claim.key}`;
    const found = known.get(name);
    if (found && claim.at - found.at < REMEMBERED_MS) return found;
    const first = await ask(claim);
    // Of two that have asked at the same moment while nobody answers, the one that is remembered counts.
    const meanwhile = known.get(name);
    if (meanwhile && meanwhile !== found) return meanwhile;
    known.set(name, first);
    return first;
  };
}
