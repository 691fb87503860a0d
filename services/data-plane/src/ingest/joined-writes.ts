import { createHash } from 'node:crypto';
import { isRetryable } from '@assay/errors';
import type { WriterPort, StoreBatch } from '@assay/event-store';

export interface JoinedWritesOptions {
  readonly write: WriterPort['write'];
  /** Milliseconds between the starts of two writes, as long as they are small. */
  readonly intervalMs: () => number;
  /** Called after each write with the number of batches in it. */
  readonly onWritten?: (batches: number) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** A write does not wait for its interval when it has so many rows or bytes, and takes no further batch beyond them. */
const MAX_ROWS = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** How long a write waits for batches that are being prepared, in milliseconds. */
const MAX_PREPARING_MS = 50;

interface WaitingWrite {
  readonly batch: StoreBatch;
  readonly rows: number;
  readonly bytes: number;
  readonly since: number;
  readonly settle: (outcome: Promise<void>) => void;
}

/**
 * Writes the batches of several partitions together, because an insert costs about 26 ms of CPU whatever it writes: a reader of twelve
 * partitions would otherwise make sixty of them each second. A batch waits for those that are being prepared, and until the interval since the
 * last write has passed. What the store rejects is written again batch by batch, so that no partition waits for the record of another one.
 */
export class JoinedWrites {
  #waiting: WaitingWrite[] = [];
  /** Batches that are being handled, those that wait for their write included. */
  #handled = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #now: () => number;

  constructor(private readonly options: JoinedWritesOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** Handles a batch whose write the others may wait for. */
  async during<T>(handle: () => Promise<T>): Promise<T> {
    this.#handled++;
    try {
      return await handle();
    } finally {
      this.#handled--;
      this.#startDue();
    }
  }

  /** Writes a batch with others. It is durable when the promise resolves. @throws what the store throws */
  write(batch: StoreBatch): Promise<void> {
    return new Promise((resolve) => {
      const bytes = batch.rows.reduce((sum, row) => sum + row.bytes.length, 0);
      const rows = batch.rows.length + batch.tombstones.length + batch.changes.length;
      this.#waiting.push({ batch, rows, bytes, since: this.#now(), settle: resolve });
      this.#startDue();
    });
  }

  /** Ends the interval: a client waits for what is stored. */
  flush(): void {
    this.#flushedAt = this.#now();
    this.#startDue();
  }

  /** Starts the writes that are due, and waits for the next one. */
  #startDue(): void {
    clearTimeout(this.#timer);
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const waitMs = this.#dueAt(first) - this.#now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#startDue(), Math.ceil(waitMs));
        return;
      }
      void this.#start(this.#taken());
    }
  }

  #dueAt(first: WaitingWrite): number {
    const sum = (of: (write: WaitingWrite) => number) =>
      this.#waiting.reduce((total, write) => total + of(write), 0);
    if (sum(({ rows }) => rows) >= MAX_ROWS || sum(({ bytes }) => bytes) >= MAX_BYTES) return first.since;
    const othersAt = this.#waiting.length < this.#handled ? first.since + MAX_PREPARING_MS : first.since;
    const isFlushed = this.#flushedAt >= this.#startedAt;
    return isFlushed ? othersAt : Math.max(othersAt, this.#startedAt + this.options.intervalMs());
  }

  /** Takes the first batches within the limits, at least one. */
  #taken(): WaitingWrite[] {
    let [count, rows, bytes] = [0, 0, 0];
    for (const write of this.#waiting) {
      rows += write.rows;
      bytes += write.bytes;
      if (count > 0 && (rows > MAX_ROWS || bytes > MAX_BYTES)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #start(writes: readonly WaitingWrite[]): Promise<void> {
    this.#startedAt = this.#now();
    const { write, onWritten } = this.options;
    const written = write(joined(writes.map(({ batch }) => batch)));
    try {
      await written;
      onWritten?.(writes.length);
    } catch (error) {
      if (writes.length > 1 && !isRetryable(error)) return this.#startEach(writes);
    }
    for (const { settle } of writes) settle(written);
  }

  async #startEach(writes: readonly WaitingWrite[]): Promise<void> {
    for (const one of writes) await this.#start([one]);
  }
}

/** The same batches, joined in the same order, have the same token. */
function joined(batches: readonly StoreBatch[]): StoreBatch {
  const [only] = batches;
  if (batches.length === 1 && only !== undefined) return only;
  const hash = createHash('sha256');
  for (const { token } of batches) hash.update(token);
  return {
    rows: batches.flatMap(({ rows }) => rows),
    tombstones: batches.flatMap(({ tombstones }) => tombstones),
    changes: batches.flatMap(({ changes }) => changes),
    token: hash.digest('hex'),
  };
}
