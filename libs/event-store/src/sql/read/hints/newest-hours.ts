import { RecentValues } from './recent-values.js';

/** How long an hour is used, in milliseconds: meanwhile, newer rows can arrive, which are looked at too. */
const MAX_AGE_MS = 10_000;

interface KnownHour {
  /** Unix seconds. */
  readonly hour: number;
  /** Milliseconds, by the clock of the hints. */
  readonly expiresAt: number;
}

/**
 * The hours that the last rows of pages were in a short while ago. They only say where to look first: a page that is not
 * full in these hours is read again without them.
 */
export class NewestHours {
  readonly #hours: RecentValues<KnownHour>;
  readonly #now: () => number;

  /** `capacity`: pages. */
  constructor(capacity: number, now: () => number) {
    this.#hours = new RecentValues(capacity);
    this.#now = now;
  }

  /** The hour of the last row of a page, Unix seconds; undefined when it is not known. */
  get(projectId: string, page: string): number | undefined {
    const known = this.#hours.get(projectId, page);
    return known !== undefined && this.#now() < known.expiresAt ? known.hour : undefined;
  }

  set(projectId: string, page: string, hour: number): void {
    this.#hours.set(projectId, page, { hour, expiresAt: this.#now() + MAX_AGE_MS });
  }
}
