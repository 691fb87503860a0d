import { isSignedToken } from '@assay/domain';
import type { ControlPlane, PersonOutcome } from '../control-plane.js';
import { LookupCache } from './lookup-cache.js';

/** Verifying a token may wait for the identity provider. */
const MAX_LOOKUPS = 64;
const NOBODY: PersonOutcome = { caller: null, refusal: null };

export interface PersonCacheOptions {
  readonly controlPlane: Pick<ControlPlane, 'authenticatePerson'>;
  /** Milliseconds for which a person who was found is not looked up again. */
  readonly knownForMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Caches look-ups of tokens of the identity provider, by token and project, no longer than the token is valid. */
export class PersonCache {
  private readonly cache: LookupCache<PersonOutcome>;

  constructor(private readonly options: PersonCacheOptions) {
    this.cache = new LookupCache({
      ...{ knownForMs: options.knownForMs, maxLookups: MAX_LOOKUPS, now: options.now },
      isFound: ({ caller }) => caller !== null,
      expiresAt: ({ caller }) => caller?.expiresAt,
    });
  }

  /** @throws AppError `UNAVAILABLE` when the token must be looked up and cannot be, `OVERLOADED` */
  authenticate(token: string, projectId: string | null): Promise<PersonOutcome> {
    if (!isSignedToken(token)) return Promise.resolve(NOBODY);
    return this.cache.get(`${token} ${projectId ?? ''}`, () =>
      this.options.controlPlane.authenticatePerson(token, projectId),
    );
  }
}
