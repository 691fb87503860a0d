import { createHmac, randomBytes } from 'node:crypto';
import { AppError, unavailable } from '@assay/errors';
import { administratorIdIn, type Administrator } from '@assay/domain';
import { LRUCache } from 'lru-cache';
import type { ControlPlane } from '../control-plane.js';

const UNKNOWN_FOR_MS = 5_000;
const COOLDOWN_MS = 1_000;
const MAX_TOKENS = 1_000;
/** Look-ups at the same time; further ones are refused. */
const MAX_LOOKUPS = 32;

export interface AdministratorCacheOptions {
  readonly controlPlane: Pick<ControlPlane, 'authenticateAdministrator'>;
  /** Milliseconds for which an administrator who was found is not looked up again. */
  readonly knownForMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** When an administrator was found, Unix milliseconds. */
interface Found {
  readonly administrator: Administrator;
  readonly at: number;
}

/** Caches look-ups of tokens under their HMAC, in memory only. An expired token is rejected at the time of its expiry. */
export class AdministratorCache {
  private readonly salt = randomBytes(32);
  private readonly known = new LRUCache<string, Found>({ max: MAX_TOKENS });
  /** Separate from the known tokens, so that invented ones never evict those. Value: when the entry expires. */
  private readonly unknown = new LRUCache<string, number>({ max: MAX_TOKENS });
  private readonly lookups = new Map<string, Promise<Administrator | undefined>>();
  private coolingDownUntil = 0;

  constructor(private readonly options: AdministratorCacheOptions) {}

  /** @throws AppError `UNAVAILABLE` when the token must be looked up and cannot be, `OVERLOADED` */
  async authenticate(token: string): Promise<Administrator | undefined> {
    if (administratorIdIn(token) === undefined) return undefined;
    const digest = createHmac('sha256', this.salt).update(token).digest('base64url');
    const found = this.known.get(digest);
    const now = this.options.now();
    if (found && this.isFresh(found, now)) return isExpired(found, now) ? undefined : found.administrator;
    if ((this.unknown.get(digest) ?? 0) > now) return undefined;
    return this.lookups.get(digest) ?? this.startLookup(digest, token);
  }

  /** False for an entry from the future: setting the clock back must not extend the life of an entry. */
  private isFresh({ at }: Found, now: number): boolean {
    return now >= at && now - at < this.options.knownForMs;
  }

  private startLookup(digest: string, token: string): Promise<Administrator | undefined> {
    const lookup = this.lookUp(digest, token).finally(() => this.lookups.delete(digest));
    this.lookups.set(digest, lookup);
    return lookup;
  }

  private async lookUp(digest: string, token: string): Promise<Administrator | undefined> {
    const at = this.options.now();
    if (at < this.coolingDownUntil) throw unavailable('control plane unreachable');
    if (this.lookups.size >= MAX_LOOKUPS)
      throw new AppError('OVERLOADED', 'too many tokens are being checked, send the request again later');
    try {
      const administrator = await this.options.controlPlane.authenticateAdministrator(token);
      if (administrator) this.known.set(digest, { administrator, at });
      else {
        this.known.delete(digest);
        this.unknown.set(digest, at + UNKNOWN_FOR_MS);
      }
      return administrator;
    } catch (cause) {
      this.coolingDownUntil = this.options.now() + COOLDOWN_MS;
      throw unavailable('control plane unreachable', cause);
    }
  }
}

function isExpired({ administrator: { expiresAt } }: Found, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
