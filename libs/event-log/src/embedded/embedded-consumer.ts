import { AppError } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import { withDeadline } from '../deadline.js';
import type { Consumer, ConsumedRecord, PartitionNotes, ReadOptions } from '../event-log.js';
import { lingerMsOf } from '../linger.js';
import { Signal } from '../signal.js';
import { PARTITION } from './segments/batch.js';
import { ReadAhead } from './read-ahead.js';

const STOP_DEADLINE_MS = 20_000;

/** The part of the log that a consumer uses. */
export interface ReadableLog {
  position(): number;
  end(): number;
  /** Total bytes appended; the difference of two values is the amount appended in between. */
  bytesWritten(): number;
  /** Returns records from `offset` on, as many as one read yields; empty at the end. */
  readFrom(offset: number): Promise<readonly ConsumedRecord[]>;
  commit(offset: number): Promise<void>;
  /** Lowers the committed position to this offset, or to the first retained one. */
  rewind(offset: number): Promise<void>;
  /** Resolves when no other consumer of the group has the partition. Call the result to release it. */
  take(): Promise<() => void>;
  readonly notes: PartitionNotes;
  /** Milliseconds until what failed is tried again. */
  readonly retryMs: number;
  readonly logger: Logger;
}

/** Consumes the embedded log for one group. Sleeps until the log, a timer or its owner wakes it. */
export class EmbeddedConsumer implements Consumer {
  private readonly wakeUp = new Signal();
  private paused = false;
  private stopping = false;
  private flushThrough = 0;
  private lastStart = Number.NEGATIVE_INFINITY;
  private lastAsked = performance.now();
  private retryAt = Number.NEGATIVE_INFINITY;
  /** Bytes in the log when waiting for a fuller batch started. */
  private lingerFrom: number | undefined;
  /** Set while the log is being read or written. */
  private busy = false;
  private readonly ahead: ReadAhead;
  private begun = (): void => undefined;
  /** Resolves when the consumer has the partition and its position is final, or when it was stopped. */
  readonly started = new Promise<void>((resolve) => (this.begun = resolve));
  private readonly done: Promise<void>;

  constructor(
    private readonly log: ReadableLog,
    private readonly options: ReadOptions,
  ) {
    this.ahead = new ReadAhead((offset) => log.readFrom(offset), options);
    this.done = this.run();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.wakeUp.notify();
  }

  flush(): void {
    this.flushThrough = this.log.end();
    this.wakeUp.notify();
  }

  /** Called when records were appended. While waiting for a fuller batch, wakes only when a batch is full. */
  appended(): void {
    if (this.lingerFrom !== undefined && !this.mayBeFull(this.lingerFrom)) return;
    this.wakeUp.notify();
  }

  private mayBeFull(lingerFrom: number): boolean {
    const { maxRecords, maxBytes } = this.options;
    return (
      this.log.end() - this.log.position() >= maxRecords || this.log.bytesWritten() - lingerFrom >= maxBytes
    );
  }

  idleMs(): number {
    return this.busy ? performance.now() - this.lastAsked : 0;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp.notify();
    await withDeadline(this.done, STOP_DEADLINE_MS, 'a reader is still busy').catch((error: unknown) => {
      this.log.logger.warn('a batch did not end in time', { group: this.options.group }, error);
    });
  }

  private async run(): Promise<void> {
    const release = await this.myTurn();
    try {
      if (!this.stopping) this.options.onAssigned?.([PARTITION]);
      await this.applyStart();
      this.begun();
      while (!this.stopping) await this.turn();
    } finally {
      this.begun();
      release();
    }
  }

  /** Retries until the position to start at is known and committed. */
  private async applyStart(): Promise<void> {
    while (!this.stopping && this.options.startAt !== undefined) {
      try {
        const offset = (await this.options.startAt([PARTITION])).get(PARTITION);
        if (offset !== undefined && offset < this.log.position()) await this.log.rewind(offset);
        return;
      } catch (error) {
        const { group } = this.options;
        this.log.logger.warn('the position to start reading at is unknown, retrying', { group }, error);
        const retryAt = performance.now() + this.log.retryMs;
        while (!this.stopping && performance.now() < retryAt)
          await this.wakeUp.wait(retryAt - performance.now());
      }
    }
  }

  /**
   * Waits for the partition or for the stop. After a stop the partition goes directly to the next consumer.
   */
  private async myTurn(): Promise<() => void> {
    let mine: (() => void) | undefined;
    const taking = this.log.take().then((release) => {
      mine = release;
      this.wakeUp.notify();
    });
    while (mine === undefined && !this.stopping) await this.wakeUp.wait();
    return mine ?? (() => void taking.then(() => mine?.()));
  }

  private async turn(): Promise<void> {
    this.lastAsked = performance.now();
    this.busy = true;
    try {
      const waitMs = await this.waitMs();
      if (waitMs === 0) await this.handOverNext();
      else await this.sleep(waitMs);
    } catch (error) {
      const damage = error instanceof AppError ? error.details : {};
      this.log.logger.error(
        'a batch could not be read or committed',
        { group: this.options.group, ...damage },
        error,
      );
      this.ahead.clear();
      this.retryAt = performance.now() + this.log.retryMs;
    } finally {
      this.busy = false;
    }
  }

  private async sleep(waitMs: number | undefined): Promise<void> {
    this.busy = false;
    await this.wakeUp.wait(waitMs);
    this.lingerFrom = undefined;
  }

  /** Milliseconds until the next batch may start; undefined: wait for a wake-up. */
  private async waitMs(): Promise<number | undefined> {
    const position = this.log.position();
    if (this.paused || this.log.end() <= position) return undefined;
    const retryIn = Math.ceil(this.retryAt - performance.now());
    if (retryIn > 0) return retryIn;
    const left = Math.ceil(this.lastStart + lingerMsOf(this.options) - performance.now());
    if (left <= 0 || position < this.flushThrough || (await this.ahead.fill(position))) return 0;
    this.lingerFrom = this.log.bytesWritten();
    return left;
  }

  private async handOverNext(): Promise<void> {
    const position = this.log.position();
    await this.ahead.fill(position);
    // The consumer may have been paused or stopped during the read.
    if (this.paused || this.stopping) return;
    const batch = this.ahead.take();
    if (batch.length === 0)
      throw new AppError('INTERNAL_ERROR', 'records are missing from the event log', {
        details: { offset: position },
      });
    this.lastStart = performance.now();
    this.busy = false;
    await this.options.onBatch(batch, this.log.notes);
    this.lastAsked = performance.now();
    this.busy = true;
    await this.log.commit((batch.at(-1)?.offset ?? 0) + 1);
  }
}
