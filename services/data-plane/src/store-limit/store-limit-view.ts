import type { StatusResponse } from '@assay/contracts';
import type { Metrics } from '@assay/runtime';

export type StoreLimitStatus = NonNullable<StatusResponse['store']>;

/** What is shown of the limit of the store: metrics of all projects, and the status of each one. */
export class StoreLimitView {
  /** Bytes on disk when they were last read. */
  bytes = 0;
  readonly #maxBytes: number;
  readonly #byProject = new Map<string, number>();
  readonly #count: (events: number) => void;
  #until: number | undefined;

  constructor(metrics: Metrics, maxBytes: number) {
    this.#maxBytes = maxBytes;
    const help = 'Events dropped because the event store was above MAX_STORE_BYTES';
    const counter = metrics.counter('assay_dropped_events_total', help);
    this.#count = (events) => counter.inc(events);
    metrics.gauge('assay_store_bytes', 'Size of the event store on disk, where it has a limit', [], (gauge) =>
      gauge.set(this.bytes),
    );
    metrics.gauge('assay_store_max_bytes', 'Limit of that size, MAX_STORE_BYTES', [], (gauge) =>
      gauge.set(maxBytes),
    );
  }

  dropped(projectId: string, events: number): void {
    this.#count(events);
    this.#byProject.set(projectId, (this.#byProject.get(projectId) ?? 0) + events);
  }

  /** Notes that all events that start before a time, Unix milliseconds, were dropped. */
  droppedUntil(cutoff: number): void {
    this.#until = Math.max(this.#until ?? cutoff, cutoff);
  }

  of(projectId: string): StoreLimitStatus {
    return {
      bytes: this.bytes,
      max_bytes: this.#maxBytes,
      dropped_events: this.#byProject.get(projectId) ?? 0,
      dropped_before: this.#until === undefined ? null : isoOf(this.#until),
    };
  }
}

/** The nearest time that ISO 8601 can express: clients choose when events start. */
function isoOf(ms: number): string {
  const MAX = 8.64e15;
  return new Date(Math.min(Math.max(ms, -MAX), MAX)).toISOString();
}
