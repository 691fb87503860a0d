/** Time between the starts of two comparisons of the tables, in milliseconds. */
const MIN_INTERVAL_MS = 60_000;
/** A comparison reads every key of the store, so it takes this share of the time at most. */
const MIN_IDLE_FACTOR = 20;

/**
 * Knows whether a comparison has shown that every row has its payload. Until then searches compare the keys of
 * their scope themselves, so that a count contains no event that no page returns.
 */
export class Completeness {
  #isKnown = false;
  /** Counts the reasons for doubt, so that a comparison that started before the last one shows nothing. */
  #doubts = 0;
  #comparing = false;
  #nextAt = 0;
  readonly #compare: () => Promise<boolean>;
  readonly #now: () => number;

  /** `compare` resolves with true when no row lacks its payload. */
  constructor(compare: () => Promise<boolean>, now: () => number = () => performance.now()) {
    this.#compare = compare;
    this.#now = now;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** A write failed, or a row without a payload was seen. */
  doubt(): void {
    this.#isKnown = false;
    this.#doubts++;
  }

  /** Runs a comparison, and knows its result unless a doubt came up meanwhile. */
  async compareNow(compare = this.#compare): Promise<void> {
    const before = this.#doubts;
    if ((await compare()) && before === this.#doubts) this.#isKnown = true;
  }

  /** Starts a comparison in the background, unless one runs or ran a short while ago. A failure changes nothing. */
  compareSoon(): void {
    if (this.#isKnown || this.#comparing || this.#now() < this.#nextAt) return;
    this.#comparing = true;
    const startedAt = this.#now();
    void this.compareNow()
      .catch(() => undefined)
      .finally(() => {
        this.#comparing = false;
        const tookMs = this.#now() - startedAt;
        this.#nextAt = startedAt + Math.max(MIN_INTERVAL_MS, tookMs * MIN_IDLE_FACTOR);
      });
  }
}
