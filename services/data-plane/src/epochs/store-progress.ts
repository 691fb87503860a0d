import { unavailable, type AppError } from '@assay/errors';
import type { ConsumedRecord, EventLog, LogPosition } from '@assay/event-log';
import type { WriterPort, LogEpoch, PartitionPosition } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import { STORE_GROUP } from '@assay/log-readers';

export interface StoreProgressOptions {
  readonly log: Pick<EventLog, 'identity' | 'position'>;
  readonly store: { readonly writer: WriterPort };
  readonly logger: Logger;
  /** The agreed epoch. */
  readonly entry: LogEpoch;
  /**
   * Called when the log or the store has been replaced while this process runs. The process has to end: the next
   * start agrees on an epoch and refills the store.
   */
  onReplaced(error: Error): void;
  /** Milliseconds between two writes; 5,000 by default. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 5_000;

/**
 * Records in the store up to which position of the log it is complete, and starts reading there. A position is
 * written after the rows of all records before it, at most every five seconds and when the reader stops. What is
 * recorded is a lower bound, which costs nothing but reading some records again.
 */
export class StoreProgress {
  /** Positions to write. */
  private pending = new Map<number, number>();
  /** Positions that the store has recorded for this process's partitions. It never returns lower ones. */
  private readonly confirmed = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;
  private isStopped = false;

  constructor(private readonly options: StoreProgressOptions) {}

  /** Returns the recorded positions of assigned partitions. @throws AppError `UNAVAILABLE` */
  async startAt(partitions: readonly number[]): Promise<LogPosition> {
    await this.writing;
    this.pending.clear();
    this.confirmed.clear();
    if ((await this.options.log.identity()) !== this.options.entry.log)
      throw this.replaced('the event log was recreated');
    const recorded = (await this.readEntry()) ?? (await this.recordAgain());
    for (const partition of partitions) {
      const position = recorded.partitions.get(partition)?.position;
      if (position === undefined) throw this.replaced('the event log has more partitions than before');
      this.confirmed.set(partition, position);
    }
    const starts = new Map(this.confirmed);
    await this.reportRefill(starts);
    return starts;
  }

  /** Call after all records of the batch are stored; they are of one partition. */
  stored(batch: readonly ConsumedRecord[]): void {
    const last = batch.at(-1);
    if (last === undefined) return;
    this.pending.set(last.partition, last.offset + 1);
    this.schedule();
  }

  /** Writes what is left. Call when no batch is being stored. Never rejects. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.flush();
  }

  private schedule(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(() => void this.flush(), this.options.intervalMs ?? INTERVAL_MS).unref();
  }

  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const positions = this.pending;
    if (positions.size === 0) return;
    this.pending = new Map();
    try {
      await this.assertSameStore();
      await this.record(positions);
      this.hasFailed = false;
    } catch (error) {
      for (const [partition, position] of positions)
        if (!this.pending.has(partition)) this.pending.set(partition, position);
      if (!this.hasFailed)
        this.options.logger.warn('the position of the event store could not be recorded', {}, error);
      this.hasFailed = true;
      this.schedule();
    }
  }

  private async record(positions: LogPosition): Promise<void> {
    const { store, entry } = this.options;
    const partitions = new Map<number, PartitionPosition>();
    for (const [partition, position] of positions)
      partitions.set(partition, { first: entry.partitions.get(partition)?.first ?? 0, position });
    await store.writer.recordLogEpoch({ ...entry, partitions });
    for (const [partition, position] of positions)
      this.confirmed.set(partition, Math.max(position, this.confirmed.get(partition) ?? 0));
  }

  /** A position in a store that lost its rows would hide that they are missing. */
  private async assertSameStore(): Promise<void> {
    const recorded = await this.readEntry();
    if (recorded === undefined) await this.recordAgain();
    for (const [partition, position] of this.confirmed)
      if ((recorded?.partitions.get(partition)?.position ?? -1) < position)
        throw this.replaced('the event store was replaced while it was in use');
  }

  private async readEntry(): Promise<LogEpoch | undefined> {
    const { store, entry } = this.options;
    const recorded = await store.writer.logEpochs();
    if (recorded.some(({ epoch }) => epoch > entry.epoch))
      throw this.replaced('another process has recorded a new epoch of the event log');
    return recorded.find(({ epoch, log }) => epoch === entry.epoch && log === entry.log);
  }

  /** Keeps the epoch in a store that has lost it: versions must not become lower than those forwarded before. */
  private async recordAgain(): Promise<LogEpoch> {
    const { store, entry } = this.options;
    const partitions = [...entry.partitions].map(
      ([partition, { first }]) => [partition, { first, position: 0 }] as const,
    );
    const empty = { ...entry, partitions: new Map(partitions) };
    await store.writer.recordLogEpoch(empty);
    return empty;
  }

  private async reportRefill(starts: LogPosition): Promise<void> {
    const committed = await this.options.log.position(STORE_GROUP);
    for (const [partition, fromOffset] of starts) {
      const toOffset = committed.get(partition) ?? 0;
      if (fromOffset < toOffset)
        this.options.logger.info('storing records of the log again', { partition, fromOffset, toOffset });
    }
  }

  private replaced(cause: string): AppError {
    const error = unavailable(cause);
    this.options.onReplaced(error);
    return error;
  }
}
