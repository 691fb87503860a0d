import { LRUCache } from 'lru-cache';

/** A request that was accepted under a key. */
export interface KnownRequest {
  /** Hash of its content. */
  readonly content: string;
  /** When it was accepted, in Unix milliseconds. */
  readonly at: number;
}

/** How long a key is remembered. */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * Requests that this process has accepted under an `Idempotency-Key`, for 24 hours. Bounded: beyond `maxRequests` the one that was used longest ago
 * is forgotten. A process that has not seen the first request, or has forgotten it, gives the same content the same ids all the same, because they are
 * derived; what it cannot do is to tell that other content came under the key before.
 */
export class KnownRequests {
  private readonly requests: LRUCache<string, KnownRequest>;

  /** @param now Unix milliseconds */
  constructor(
    maxRequests: number,
    private readonly now: () => number,
  ) {
    this.requests = new LRUCache({ max: maxRequests });
  }

  get(projectId: string, key: string): KnownRequest | undefined {
    const known = this.requests.get(nameOf(projectId, key));
    return known && this.now() - known.at < REMEMBERED_MS ? known : undefined;
  }

  add(projectId: string, key: string, request: KnownRequest): void {
    this.requests.set(nameOf(projectId, key), request);
  }
}

function nameOf(projectId: string, key: string): string {
  return `${projectId}/${key}`;
}
