import { RecentValues } from './recent-values.js';

/** Pages whose hour is known. */
const MAX_PAGES = 1_000;
/** How long an hour is used, in milliseconds: meanwhile, newer rows can arrive, which are looked at too. */
const MAX_AGE_MS = 10_000;

interface KnownHour {
  /** Unix seconds. */
  readonly hour: number;
  /** Milliseconds, by the clock of {@link NewestHours}. */
  readonly expiresAt: number;
}

/**
 * The hours that the last rows of pages were in a short while ago. They only say where to look first: a page that is not
 * full in these hours is read again without them.
 */
export class NewestHours {
  readonly #hours = new RecentValues<KnownHour>(MAX_PAGES);
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
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
