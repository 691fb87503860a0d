import { RecentValues } from './recent-values.js';

/** Totals that are kept, of all projects. */
const MAX_TOTALS = 8_000;

/** A number of events with the spans that have it: those that start and end between these times, inclusive (Unix milliseconds). */
export interface SpanTotal {
  readonly total: number;
  readonly from: readonly [earliest: number, latest: number];
  readonly to: readonly [earliest: number, latest: number];
}

/**
 * Cache of the numbers of events in spans of time, for a store that no other process writes to: pages of one sequence, and
 * repeated requests while nothing is written, count once. Every change empties it.
 */
export class TotalCache {
  /** Whether totals are kept at all. */
  readonly isKept: boolean;
  readonly #totals: RecentValues<SpanTotal>;
  #changes = 0;
  #underWay = 0;

  /** `capacity`: totals; 0 where other processes write. */
  constructor(capacity = MAX_TOTALS) {
    this.isKept = capacity > 0;
    this.#totals = new RecentValues(capacity);
  }

  /** Call before rows change, and the returned function when they have changed, also after a failure. */
  beginChange(): () => void {
    this.#underWay++;
    this.#forget();
    return () => {
      this.#underWay--;
      this.#forget();
    };
  }

  /** Whether a total is in the cache. */
  has(projectId: string, span: string): boolean {
    return this.#totals.get(projectId, span) !== undefined;
  }

  /** Returns a total, from the cache if rows have not changed since it was read. */
  async get(projectId: string, span: string, read: () => Promise<number>): Promise<number> {
    const known = this.#totals.get(projectId, span);
    if (known !== undefined) return known.total;
    const total = await this.#read(projectId, span, async () => ({ total: await read(), ...ANY_SPAN }));
    return total.total;
  }

  /**
   * As {@link get}, of a span that moves on: a total is read again when it is not that of the span, too. Undefined when `read` returns that.
   * @param name of the conditions
   */
  async getOfSpan(
    projectId: string,
    name: string,
    { from, to }: { readonly from: number; readonly to: number },
    read: () => Promise<SpanTotal | undefined>,
  ): Promise<number | undefined> {
    const known = this.#totals.get(projectId, name);
    if (known !== undefined && isBetween(from, known.from) && isBetween(to, known.to)) return known.total;
    return (await this.#read(projectId, name, read))?.total;
  }

  async #read<Found extends SpanTotal | undefined>(
    projectId: string,
    name: string,
    read: () => Promise<Found>,
  ): Promise<Found> {
    const before = this.#changes;
    const isQuiet = this.#underWay === 0;
    const found = await read();
    const isCurrent = isQuiet && before === this.#changes;
    if (found !== undefined && isCurrent) this.#totals.set(projectId, name, found);
    return found;
  }

  #forget(): void {
    this.#changes++;
    this.#totals.clear();
  }
}

const ANY_SPAN = { from: [-Infinity, Infinity], to: [-Infinity, Infinity] } as const;

const isBetween = (time: number, [earliest, latest]: SpanTotal['from']) => time >= earliest && time <= latest;
