/** Projects whose totals are kept, and totals of each. The least recently added ones are evicted. */
const MAX_PROJECTS = 1_000;
const MAX_PER_PROJECT = 8;

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
  readonly #totals = new Map<string, Map<string, SpanTotal>>();
  readonly #isOnlyWriter: boolean;
  #changes = 0;
  #underWay = 0;

  constructor(isOnlyWriter: boolean) {
    this.#isOnlyWriter = isOnlyWriter;
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
    return this.#totals.get(projectId)?.has(span) ?? false;
  }

  /** Whether totals are kept at all. */
  get isKept(): boolean {
    return this.#isOnlyWriter;
  }

  /** Returns a total, from the cache if rows have not changed since it was read. */
  async get(projectId: string, span: string, read: () => Promise<number>): Promise<number> {
    const known = this.#totals.get(projectId)?.get(span);
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
    const known = this.#totals.get(projectId)?.get(name);
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
    const isCurrent = this.#isOnlyWriter && isQuiet && before === this.#changes;
    if (found !== undefined && isCurrent) this.#keep(projectId, name, found);
    return found;
  }

  #keep(projectId: string, name: string, total: SpanTotal): void {
    const ofProject = this.#totals.get(projectId) ?? new Map<string, SpanTotal>();
    this.#totals.set(projectId, ofProject);
    ofProject.delete(name);
    ofProject.set(name, total);
    evictOldest(ofProject, MAX_PER_PROJECT);
    evictOldest(this.#totals, MAX_PROJECTS);
  }

  #forget(): void {
    this.#changes++;
    this.#totals.clear();
  }
}

const ANY_SPAN = { from: [-Infinity, Infinity], to: [-Infinity, Infinity] } as const;

const isBetween = (time: number, [earliest, latest]: SpanTotal['from']) => time >= earliest && time <= latest;

function evictOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
