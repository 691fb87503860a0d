import type { EventLog, LogPosition } from '@assay/event-log';
import type { Metrics } from '@assay/runtime';

export interface LogProgressOptions {
  readonly log: Pick<EventLog, 'end' | 'position'>;
  readonly groups: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Reports the lag of the groups; absent: not reported. */
  readonly metrics?: Metrics;
  /** Milliseconds between two samples; 5,000 by default. */
  readonly intervalMs?: number;
}

/** How far a consumer group is behind the log. */
export interface GroupLag {
  readonly records: number;
  /** Age of the oldest record that was not read, exact to the interval of the samples, at least that of the oldest sample. */
  readonly seconds: number;
}

interface Sample {
  readonly at: number;
  readonly end: LogPosition;
  readonly groups: ReadonlyMap<string, LogPosition>;
}

const INTERVAL_MS = 5_000;
/** Of more samples in this time, which clients that ask often cause, the latest is kept. */
const MIN_SPACING_MS = 1_000;
const KEPT_MS = 60 * 60 * 1_000;

/**
 * Observes the log's end and the positions of consumer groups for an hour, by samples in memory: lag in records and in time,
 * and how many records were appended or read in a period, whichever process did it.
 */
export class LogProgress {
  /** Oldest first; at most an hour, plus the one before it. */
  readonly #samples: Sample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(private readonly options: LogProgressOptions) {
    if (options.metrics) this.#report(options.metrics);
  }

  /** Starts taking samples. */
  start(): void {
    const intervalMs = this.options.intervalMs ?? INTERVAL_MS;
    this.#timer = setInterval(() => void this.look().catch(() => undefined), intervalMs).unref();
    void this.look().catch(() => undefined);
  }

  /** Takes a sample now. Concurrent calls share one. @throws AppError `UNAVAILABLE` when the log cannot be reached */
  look(): Promise<void> {
    this.#looking ??= this.#sample().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Stops taking samples. Idempotent. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking?.catch(() => undefined);
  }

  /** Time of the first sample, Unix milliseconds; undefined before it. */
  get since(): number | undefined {
    return this.#samples[0]?.at;
  }

  /** Returns the lag of a group; undefined before the first sample. */
  lag(group: string): GroupLag | undefined {
    const last = this.#samples.at(-1);
    const position = last?.groups.get(group);
    if (last === undefined || position === undefined) return undefined;
    const records = distance(position, last.end);
    const oldest = this.#samples.find(({ end }) => distance(position, end) > 0);
    const seconds = records === 0 || !oldest ? 0 : Math.max(0, (last.at - oldest.at) / 1_000);
    return { records, seconds };
  }

  /** Returns the time up to which the group has read everything that was appended; undefined if it is not known. */
  completeUntil(group: string): number | undefined {
    const position = this.#samples.at(-1)?.groups.get(group);
    if (position === undefined) return undefined;
    return this.#samples.findLast(({ end }) => distance(position, end) === 0)?.at;
  }

  /** Returns how many records were appended, or read by a group, in the last `periodMs`, or since the first sample. */
  passed(periodMs: number, group?: string): number {
    const positionOf = (sample: Sample) => (group === undefined ? sample.end : sample.groups.get(group));
    const last = this.#samples.at(-1);
    if (last === undefined) return 0;
    const from = this.#samples.findLast(({ at }) => at <= last.at - periodMs) ?? this.#samples[0] ?? last;
    return distance(positionOf(from) ?? new Map(), positionOf(last) ?? new Map());
  }

  /** Returns how many records the log has ever had, or a group has read; 0 before the first sample. */
  total(group?: string): number {
    const last = this.#samples.at(-1);
    return distance(new Map(), (group === undefined ? last?.end : last?.groups.get(group)) ?? new Map());
  }

  async #sample(): Promise<void> {
    const { log, groups, now } = this.options;
    const at = now();
    // In this order: a position must not be compared with an older end.
    const end = await log.end();
    const positions = await Promise.all(
      groups.map(async (group) => [group, await log.position(group)] as const),
    );
    if (at - (this.#samples.at(-2)?.at ?? -Infinity) < MIN_SPACING_MS) this.#samples.pop();
    this.#samples.push({ at, end, groups: new Map(positions) });
    while ((this.#samples[1]?.at ?? at) < at - KEPT_MS) this.#samples.shift();
  }

  #report(metrics: Metrics): void {
    const labels = ['group'] as const;
    metrics.gauge(
      'assay_reader_lag_records',
      'Records of the log that the consumer group has not read',
      labels,
      (gauge) => {
        for (const group of this.options.groups) gauge.set({ group }, this.lag(group)?.records ?? 0);
      },
    );
    metrics.gauge(
      'assay_reader_lag_seconds',
      'Age of the oldest record that the consumer group has not read',
      labels,
      (gauge) => {
        for (const group of this.options.groups) gauge.set({ group }, this.lag(group)?.seconds ?? 0);
      },
    );
  }
}

/** Returns how many records are between two positions, 0 when `to` is not ahead. A recreated log starts at zero again. */
function distance(from: LogPosition, to: LogPosition): number {
  return [...to].reduce(
    (sum, [partition, offset]) => sum + Math.max(0, offset - (from.get(partition) ?? 0)),
    0,
  );
}
