import { administratorIdIn, type Administrator } from '@assay/domain';
import type { ControlPlane } from '../control-plane.js';
import { LookupCache } from './lookup-cache.js';

const MAX_LOOKUPS = 32;

export interface AdministratorCacheOptions {
  readonly controlPlane: Pick<ControlPlane, 'authenticateAdministrator'>;
  /** Milliseconds for which an administrator who was found is not looked up again. */
  readonly knownForMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** `undefined` is a result too: an unknown token. */
interface Found {
  readonly administrator: Administrator | undefined;
}

/** Caches look-ups of the tokens of administrators. An expired token is looked up at the time of its expiry. */
export class AdministratorCache {
  private readonly cache: LookupCache<Found>;

  constructor(private readonly options: AdministratorCacheOptions) {
    this.cache = new LookupCache({
      ...{ knownForMs: options.knownForMs, maxLookups: MAX_LOOKUPS, now: options.now },
      isFound: ({ administrator }) => administrator !== undefined,
      expiresAt: ({ administrator }) => administrator?.expiresAt,
    });
  }

  /** @throws AppError `UNAVAILABLE` when the token must be looked up and cannot be, `OVERLOADED` */
  async authenticate(token: string): Promise<Administrator | undefined> {
    if (administratorIdIn(token) === undefined) return undefined;
    const { controlPlane } = this.options;
    const found = await this.cache.get(token, async () => ({
      administrator: await controlPlane.authenticateAdministrator(token),
    }));
    return found.administrator;
  }
}
