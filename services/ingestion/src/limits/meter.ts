import type { ActiveLimits, IngestLimit } from '@assay/domain';

/** What a request adds. */
export interface IngestCost {
  readonly events: number;
  readonly bytes: number;
}

export interface Clocks {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A clock that is never set, in milliseconds. */
  readonly elapsed: () => number;
}

/** Why a request is refused, and the time after which it may be sent again. */
export interface Refusal {
  readonly limit: IngestLimit;
  readonly retryAfterSeconds: number;
}

/** Events that may be sent together after a pause, in seconds of the limit. */
const BURST_SECONDS = 10;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Counts what one project or key sends. Events are a token bucket: a request that is larger than the bucket passes when it is full, and what
 * it has too much delays later ones. Bytes are counted by the day: the request that reaches the limit passes, and what it has too much counts
 * for the next day. So a request of any size passes at some time, and the limits hold on average.
 */
export class Meter {
  refused = 0;
  #limits: ActiveLimits = {};
  /** Events that may be sent now; below 0 after a request that was larger than the bucket. */
  #free = 0;
  #filledAt: number;
  /** The UTC day, and the bytes of it. */
  #day: number;
  #bytes = 0;

  constructor(private readonly clocks: Clocks) {
    this.#filledAt = clocks.elapsed();
    this.#day = this.#today();
  }

  /** Sets the limits; a bucket that is new is full. */
  set limits(limits: ActiveLimits) {
    if (limits.events_per_second !== this.#limits.events_per_second) {
      this.#fill();
      const isNew = this.#limits.events_per_second === undefined;
      const most = capacityOf(limits);
      this.#free = isNew ? most : Math.min(this.#free, most);
    }
    this.#limits = limits;
  }

  /** Bytes of this day; null without a limit. */
  get bytesToday(): number | null {
    this.#startDay();
    return this.#limits.bytes_per_day === undefined ? null : this.#bytes;
  }

  /** Returns why a request cannot be accepted now; undefined: it can. */
  refusalOf({ events }: IngestCost): Refusal | undefined {
    this.#fill();
    this.#startDay();
    const { events_per_second: rate, bytes_per_day: maxBytes } = this.#limits;
    if (maxBytes !== undefined && this.#bytes >= maxBytes)
      return refusal('bytes_per_day', DAY_MS - (this.clocks.now() % DAY_MS));
    if (rate === undefined) return undefined;
    const missing = Math.min(events, capacityOf(this.#limits)) - this.#free;
    return missing > 0 ? refusal('events_per_second', (missing / rate) * SECOND_MS) : undefined;
  }

  take({ events, bytes }: IngestCost): void {
    this.#free -= events;
    this.#bytes += bytes;
  }

  /** Takes back what was not accepted. */
  release({ events, bytes }: IngestCost): void {
    this.#free += events;
    this.#bytes = Math.max(0, this.#bytes - bytes);
  }

  #fill(): void {
    const now = this.clocks.elapsed();
    const { events_per_second: rate = 0 } = this.#limits;
    const added = ((now - this.#filledAt) / SECOND_MS) * rate;
    this.#free = Math.min(this.#free + added, capacityOf(this.#limits));
    this.#filledAt = now;
  }

  #startDay(): void {
    const days = this.#today() - this.#day;
    if (days <= 0) return;
    this.#day += days;
    this.#bytes = Math.max(0, this.#bytes - days * (this.#limits.bytes_per_day ?? Infinity));
  }

  #today(): number {
    return Math.floor(this.clocks.now() / DAY_MS);
  }
}

function capacityOf({ events_per_second: rate = 0 }: ActiveLimits): number {
  return rate * BURST_SECONDS;
}

function refusal(limit: IngestLimit, ms: number): Refusal {
  return { limit, retryAfterSeconds: Math.max(1, Math.ceil(ms / SECOND_MS)) };
}
