import { AppError, isRetryable } from '@assay/errors';
import { backoffMs, type Logger } from '@assay/runtime';
import { FailureBreaker } from './failure-breaker.js';
import type { EventLog, Consumer, ConsumedRecord, ReadOptions } from './event-log.js';

/** Waiting and chance, so that tests need not wait. */
export interface Timing {
  /** Resolves after `ms` milliseconds, or as soon as `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 (included) to 1 (excluded). */
  random(): number;
}

export interface ConsumerLoopOptions extends Pick<
  ReadOptions,
  'group' | 'maxRecords' | 'maxBytes' | 'lingerMs' | 'onAssigned'
> {
  readonly log: EventLog;
  readonly logger: Logger;
  /**
   * Handles a batch: records of one partition in offset order. It may see a record again, and parts of a batch on their own.
   * Rejecting with a retryable error means: not now. Any other `AppError` means: never, for one of these records.
   */
  handle(batch: readonly ConsumedRecord[]): Promise<void>;
  /** Called for each failure that may pass, before the wait. */
  onRetry?(): void;
  /** Called for each record that was set aside. */
  onSetAside?(): void;
  /** Called once when too many records would have to be set aside. Reading has stopped then, and nothing more is committed. */
  onBraked?(): void;
  /** Longest wait between two tries, milliseconds; 60,000 by default. */
  readonly longestWaitMs?: number;
  readonly timing?: Timing;
}

/** A running read loop. */
export interface ConsumerLoop extends Consumer {
  /** Whether reading has stopped because too many records failed for good. The process is not ready then. */
  braked(): boolean;
}

/**
 * Reads the log for a group and sees to it that each record is either handled or set aside:
 * - a failure that may pass is retried for ever, after 1 s to 60 s (full jitter);
 * - a failure that would come again halves the batch until the bad record is alone, which is set aside as a dead letter;
 * - more than 100 of those in a row, or more than 1 % of the last 10,000 (of at least 1,000), stop reading; the record is not lost, its
 *   offset is not committed.
 * @throws AppError `UNAVAILABLE` when reading could not be started
 */
export async function startConsumerLoop(options: ConsumerLoopOptions): Promise<ConsumerLoop> {
  const loop = new RunningConsumerLoop(options);
  await loop.start();
  return loop;
}

const SYSTEM_TIMING: Timing = {
  random: Math.random,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    }),
};

class RunningConsumerLoop implements ConsumerLoop {
  private readonly timing: Timing;
  private readonly stopped = new AbortController();
  private readonly breaker = new FailureBreaker();
  /** Batches that wait for their next try; more than one when several partitions are read. */
  private waiting = 0;
  private hasBraked = false;
  private reading: Consumer | undefined;

  constructor(private readonly options: ConsumerLoopOptions) {
    this.timing = options.timing ?? SYSTEM_TIMING;
  }

  async start(): Promise<void> {
    const { log, group, maxRecords, maxBytes, lingerMs, onAssigned } = this.options;
    const onBatch = (batch: readonly ConsumedRecord[]) => this.settle(batch);
    this.reading = await log.read({ group, maxRecords, maxBytes, lingerMs, onBatch, onAssigned });
    // The breaker may have been pulled by the very first batch.
    if (this.hasBraked) this.reading.pause();
  }

  braked(): boolean {
    return this.hasBraked;
  }

  pause(): void {
    this.reading?.pause();
  }

  resume(): void {
    if (!this.hasBraked) this.reading?.resume();
  }

  flush(): void {
    this.reading?.flush();
  }

  /** Waiting for the next try is not being stuck. */
  idleMs(): number {
    return this.waiting > 0 ? 0 : (this.reading?.idleMs() ?? 0);
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.reading?.stop();
  }

  /** Resolves when each record of the batch was handled or set aside; rejects when the loop stops before that. */
  private async settle(batch: readonly ConsumedRecord[]): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      this.assertRunning();
      try {
        await this.options.handle(batch);
        this.breaker.handled(batch.length);
        return;
      } catch (error) {
        if (!isRetryable(error)) return this.isolate(batch, error);
        await this.waitForNextTry(batch, attempt, error);
      }
    }
  }

  private async isolate(batch: readonly ConsumedRecord[], error: unknown): Promise<void> {
    const [record] = batch;
    if (batch.length === 1 && record !== undefined) return this.deadLetter(record, error);
    const middle = batch.length >> 1;
    await this.settle(batch.slice(0, middle));
    await this.settle(batch.slice(middle));
  }

  private async deadLetter(record: ConsumedRecord, error: unknown): Promise<void> {
    if (this.breaker.isFull()) this.pullBrake();
    const errorClass = error instanceof AppError ? error.code : 'unknown';
    for (let attempt = 0; ; attempt += 1) {
      this.assertRunning();
      try {
        await this.options.log.deadLetter(record, { group: this.options.group, errorClass });
        break;
      } catch (failure) {
        await this.waitForNextTry([record], attempt, failure);
      }
    }
    this.breaker.deadLetter();
    this.options.onSetAside?.();
    this.options.logger.error('record set aside', { ...this.place([record]), errorClass }, error);
  }

  private async waitForNextTry(
    batch: readonly ConsumedRecord[],
    attempt: number,
    error: unknown,
  ): Promise<void> {
    const waitMs = Math.round(backoffMs(attempt, this.timing.random(), this.options.longestWaitMs));
    this.options.logger.warn(
      'batch failed, will be tried again',
      { ...this.place(batch), attempt, waitMs },
      error,
    );
    this.options.onRetry?.();
    this.waiting += 1;
    try {
      await this.timing.wait(waitMs, this.stopped.signal);
    } finally {
      this.waiting -= 1;
    }
  }

  private pullBrake(): void {
    if (!this.hasBraked) {
      this.hasBraked = true;
      this.reading?.pause();
      this.options.logger.error('too many records failed for good, reading has stopped', {
        group: this.options.group,
      });
      this.options.onBraked?.();
    }
    this.assertRunning();
  }

  /** What rejects here is not committed and comes again, to this reader or the next. */
  private assertRunning(): void {
    if (this.stopped.signal.aborted) throw new AppError('UNAVAILABLE', 'the reader is stopping');
    if (this.hasBraked) throw new AppError('UNAVAILABLE', 'the reader has stopped after too many failures');
  }

  private place(batch: readonly ConsumedRecord[]) {
    return {
      group: this.options.group,
      partition: batch[0]?.partition,
      offset: batch[0]?.offset,
      records: batch.length,
    };
  }
}
