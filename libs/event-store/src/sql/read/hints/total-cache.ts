/** Projects whose totals are kept, and totals of each. The least recently added ones are evicted. */
const MAX_PROJECTS = 1_000;
const MAX_PER_PROJECT = 8;

/**
 * Cache of the numbers of events in spans of time, for a store that no other process writes to: pages of one sequence, and
 * repeated requests while nothing is written, count once. Every change empties it.
 */
export class TotalCache {
  readonly #totals = new Map<string, Map<string, number>>();
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

  /** Returns a total, from the cache if rows have not changed since it was read. */
  async get(projectId: string, span: string, read: () => Promise<number>): Promise<number> {
    const known = this.#totals.get(projectId)?.get(span);
    if (known !== undefined) return known;
    const before = this.#changes;
    const isQuiet = this.#underWay === 0;
    const total = await read();
    if (this.#isOnlyWriter && isQuiet && before === this.#changes) this.#keep(projectId, span, total);
    return total;
  }

  #keep(projectId: string, span: string, total: number): void {
    const ofProject = this.#totals.get(projectId) ?? new Map<string, number>();
    this.#totals.set(projectId, ofProject);
    ofProject.set(span, total);
    evictOldest(ofProject, MAX_PER_PROJECT);
    evictOldest(this.#totals, MAX_PROJECTS);
  }

  #forget(): void {
    this.#changes++;
    this.#totals.clear();
  }
}

function evictOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
