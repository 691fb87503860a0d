export const STAGES = ['accepted', 'stored', 'evaluated', 'forwarded'] as const;
/** Steps of a record: appended to the log, written to the event store, decided about, forwarded to the control plane. */
export type Stage = (typeof STAGES)[number];

const BUCKET_MS = 10_000;
const BUCKETS = 361;
/** LRU capacity, about 6 KB each. */
const MAX_PROJECTS = 2_000;

interface Counts {
  /** The latest bucket that was written. */
  last: number;
  readonly values: Record<Stage, Uint32Array>;
  readonly totals: Record<Stage, number>;
}

/** Counts of the records of each project in the last hour, in memory, for a single process. */
export class StageCounts {
  /** Least recently counted first. */
  readonly #projects = new Map<string, Counts>();

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  /** Counts records that a stage has completed now. */
  add(stage: Stage, projectId: string, records = 1): void {
    const counts = this.#projects.get(projectId) ?? emptyCounts(this.#bucket());
    this.#projects.delete(projectId);
    this.#projects.set(projectId, counts);
    const oldest = this.#projects.keys().next();
    if (this.#projects.size > MAX_PROJECTS && !oldest.done) this.#projects.delete(oldest.value);
    this.#advance(counts);
    const values = counts.values[stage];
    const index = counts.last % BUCKETS;
    values[index] = (values[index] ?? 0) + records;
    counts.totals[stage] += records;
  }

  /** Returns how many records of the project a stage has completed in the last `periodMs`, at most an hour. */
  count(stage: Stage, projectId: string, periodMs: number): number {
    const counts = this.#projects.get(projectId);
    if (counts === undefined) return 0;
    this.#advance(counts);
    const buckets = Math.min(Math.ceil(periodMs / BUCKET_MS), BUCKETS - 1);
    let sum = 0;
    for (let back = 0; back <= buckets; back++)
      sum += counts.values[stage][(((counts.last - back) % BUCKETS) + BUCKETS) % BUCKETS] ?? 0;
    return sum;
  }

  /** Returns how many records of the project a stage has completed since they are counted: since the start, or since it was last forgotten. */
  total(stage: Stage, projectId: string): number {
    return this.#projects.get(projectId)?.totals[stage] ?? 0;
  }

  #bucket(): number {
    return Math.floor(this.now() / BUCKET_MS);
  }

  /** Empties the buckets between the latest one and now. */
  #advance(counts: Counts): void {
    const now = this.#bucket();
    const from = Math.max(counts.last + 1, now - BUCKETS + 1);
    for (let bucket = from; bucket <= now; bucket++)
      for (const stage of STAGES) counts.values[stage][bucket % BUCKETS] = 0;
    counts.last = Math.max(counts.last, now);
  }
}

function emptyCounts(last: number): Counts {
  const empty = () => new Uint32Array(BUCKETS);
  return {
    last,
    values: { accepted: empty(), stored: empty(), evaluated: empty(), forwarded: empty() },
    totals: { accepted: 0, stored: 0, evaluated: 0, forwarded: 0 },
  };
}

/** Returns the number of records by project; records of no project are left out. */
export function countByProject<T>(
  records: readonly T[],
  projectOf: (record: T) => string | undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    const project = projectOf(record);
    if (project !== undefined) counts.set(project, (counts.get(project) ?? 0) + 1);
  }
  return counts;
}
