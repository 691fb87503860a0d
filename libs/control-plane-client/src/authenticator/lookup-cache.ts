import { createHmac, randomBytes } from 'node:crypto';
import { AppError, unavailable } from '@assay/errors';
import { LRUCache } from 'lru-cache';

const UNKNOWN_FOR_MS = 5_000;
const COOLDOWN_MS = 1_000;
const MAX_ENTRIES = 1_000;

export interface LookupCacheOptions<Result> {
  /** Whether the credential was found; a result without it is kept for 5 seconds. */
  readonly isFound: (result: Result) => boolean;
  /** When a result that was found ends, ISO 8601; absent: it does not. */
  readonly expiresAt: (result: Result) => string | undefined;
  /** Milliseconds for which a result that was found is not looked up again. */
  readonly knownForMs: number;
  /** Look-ups at the same time; further ones are refused. */
  readonly maxLookups: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What was found, and when, Unix milliseconds. */
interface Entry<Result> {
  readonly result: Result;
  readonly at: number;
}

/** Caches look-ups under an HMAC of what was sent, in memory only. An entry is not used beyond its expiry. */
export class LookupCache<Result> {
  private readonly salt = randomBytes(32);
  private readonly known = new LRUCache<string, Entry<Result>>({ max: MAX_ENTRIES });
  /** Separate from the known ones, so that invented credentials never evict those. */
  private readonly unknown = new LRUCache<string, Entry<Result>>({ max: MAX_ENTRIES });
  private readonly lookups = new Map<string, Promise<Result>>();
  private coolingDownUntil = 0;

  constructor(private readonly options: LookupCacheOptions<Result>) {}

  /**
   * Returns the result for a credential from memory or from the look-up.
   * @throws AppError `UNAVAILABLE` when it must be looked up and cannot be, `OVERLOADED`
   */
  async get(credential: string, lookUp: () => Promise<Result>): Promise<Result> {
    const digest = createHmac('sha256', this.salt).update(credential).digest('base64url');
    const entry = this.known.get(digest);
    if (entry && this.isFresh(entry, this.options.knownForMs)) return entry.result;
    const missing = this.unknown.get(digest);
    if (missing && this.isFresh(missing, UNKNOWN_FOR_MS)) return missing.result;
    return this.lookups.get(digest) ?? this.start(digest, lookUp);
  }

  /** False for an entry from the future: setting the clock back must not extend the life of an entry. */
  private isFresh({ result, at }: Entry<Result>, forMs: number): boolean {
    const now = this.options.now();
    const end = this.options.expiresAt(result);
    return now >= at && now - at < forMs && (end === undefined || now < Date.parse(end));
  }

  private start(digest: string, lookUp: () => Promise<Result>): Promise<Result> {
    const lookup = this.lookUp(digest, lookUp).finally(() => this.lookups.delete(digest));
    this.lookups.set(digest, lookup);
    return lookup;
  }

  private async lookUp(digest: string, lookUp: () => Promise<Result>): Promise<Result> {
    const at = this.options.now();
    if (at < this.coolingDownUntil) throw unavailable('control plane unreachable');
    if (this.lookups.size >= this.options.maxLookups)
      throw new AppError('OVERLOADED', 'too many tokens are being checked, send the request again later');
    try {
      const result = await lookUp();
      const isFound = this.options.isFound(result);
      if (!isFound) this.known.delete(digest);
      (isFound ? this.known : this.unknown).set(digest, { result, at });
      return result;
    } catch (cause) {
      this.coolingDownUntil = this.options.now() + COOLDOWN_MS;
      throw unavailable('control plane unreachable', cause);
    }
  }
}
