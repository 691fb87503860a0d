import { AppError, isRetryable } from '@assay/errors';
import { backoffMs, type Logger } from '@assay/runtime';
import { FailureBreaker } from './failure-breaker.js';
import type { EventLog, Consumer, ConsumedRecord, PartitionNotes, ReadOptions } from './event-log.js';
import { guardBatch, type GuardedWork, type Processing } from './guarded-work.js';
import { HandledRecords } from './handled-records.js';
import { SYSTEM_TIMING, type Timing } from './timing.js';

/**
 * Stores a record as a dead letter with this reason, which names no value. Resolves when the letter is
 * durable; rejecting a record again, also in a retry of its batch, has no effect.
 */
export type RejectRecord = (record: ConsumedRecord, errorClass: string) => Promise<void>;

export interface ConsumerLoopOptions extends Pick<
  ReadOptions,
  'group' | 'maxRecords' | 'maxBytes' | 'lingerMs' | 'onAssigned' | 'startAt'
> {
  readonly log: EventLog;
  readonly logger: Logger;
  /**
   * Handles a batch: records of one partition in offset order. It may see a record again, and parts of a
   * batch separately. A retryable error means that the batch may succeed later; any other `AppError` means
   * that one of its records never will.
   *
   * `reject` stores a record as a dead letter because of its data. Rejected records are expected, so they
   * never trip the breaker; neither do errors with the code `PAYLOAD_TOO_LARGE`.
   *
   * `guarded` runs the part of the work during which the batch is noted as being handled; not for waits, during which a
   * process may be stopped for other reasons. The work says what it handles. One call at a time.
   */
  handle(batch: readonly ConsumedRecord[], reject: RejectRecord, guarded: GuardedWork): Promise<void>;
  /** Returns the epoch of a record's version, which its dead letter keeps. */
  epochOf?(record: ConsumedRecord): number;
  /** Returns the project that a record belongs to, so that one project cannot trip the breaker. */
  projectOf?(record: ConsumedRecord): string | undefined;
  /** Called for each retryable failure, before the wait. */
  onRetry?(): void;
  /** Called for each record that was stored as a dead letter. */
  onDeadLetter?(): void;
  /** Called for each record that was not stored as a dead letter, because those of its project fill their share. */
  onDeadLetterDropped?(): void;
  /** Called for each record that became a dead letter because the process has ended twice while it was handled. */
  onFatalRecord?(): void;
  /** Called once when too many records failed. The loop has stopped reading and commits nothing more. */
  onTripped?(): void;
  /** Maximum retry backoff in milliseconds; 60,000 by default. */
  readonly maxBackoffMs?: number;
  readonly timing?: Timing;
}

/** A running consumer loop. */
export interface ConsumerLoop extends Consumer {
  /** Returns whether reading has stopped because too many records failed. */
  tripped(): boolean;
}

/**
 * Reads the log for a group and guarantees that each record is either handled or stored as a dead letter, or, beyond the
 * share of its project in the dead letters, logged and counted:
 * - a retryable failure is retried forever, with a backoff of up to 60 s (full jitter);
 * - a record during which the process has ended twice becomes a dead letter (see {@link HandledRecords});
 * - a permanent failure bisects the batch until the failing record is isolated, which becomes a dead letter;
 * - more than 100 unexpected failures in a row, or more than 1 % of the last 10,000 records (of at least
 *   1,000), of at least two projects trip the breaker: the loop stops reading. No record is lost, because its
 *   offset is not committed.
 * @throws AppError `UNAVAILABLE` when reading could not be started
 */
export async function startConsumerLoop(options: ConsumerLoopOptions): Promise<ConsumerLoop> {
  const loop = new RunningConsumerLoop(options);
  await loop.start();
  return loop;
}

/** A handler that runs for longer is stuck. Evaluations by models, the slowest handlers, end after ten minutes. */
const MAX_HANDLER_MS = 15 * 60_000;

/** Class of the dead letter of a record that has ended the process. */
const ENDED_PROCESS = 'PROCESS_ENDED';

/** A code that is always a verdict on the data, never a fault of the reader. */
const DATA_FAULT = 'PAYLOAD_TOO_LARGE';

class RunningConsumerLoop implements ConsumerLoop {
  private readonly timing: Timing;
  private readonly stopped = new AbortController();
  private readonly breaker = new FailureBreaker();
  /** Start of each call of the handler that has not ended; several when several partitions are read. */
  private readonly handling = new Set<{ readonly startedAt: number }>();
  private hasTripped = false;
  private consumer: Consumer | undefined;
  /** By partition, from its first batch after an assignment on. */
  private readonly handled = new Map<number, HandledRecords>();

  /** Keys are ids that clients choose: those of two projects may be the same. */
  private readonly subjectOf = (record: ConsumedRecord) =>
    JSON.stringify([this.options.projectOf?.(record), record.key]);

  constructor(private readonly options: ConsumerLoopOptions) {
    this.timing = options.timing ?? SYSTEM_TIMING;
  }

  async start(): Promise<void> {
    const { log, group, maxRecords, maxBytes, lingerMs, startAt } = this.options;
    const onBatch: ReadOptions['onBatch'] = (batch, notes) => this.processBatch(batch, notes);
    const onAssigned = (partitions: readonly number[]) => {
      // Another reader may have had the partition meanwhile.
      this.handled.clear();
      this.options.onAssigned?.(partitions);
    };
    this.consumer = await log.read({ group, maxRecords, maxBytes, lingerMs, onBatch, onAssigned, startAt });
    // The first batch may have tripped the breaker before the consumer was assigned.
    if (this.hasTripped) this.consumer.pause();
  }

  tripped(): boolean {
    return this.hasTripped;
  }

  pause(): void {
    this.consumer?.pause();
  }

  resume(): void {
    if (!this.hasTripped) this.consumer?.resume();
  }

  flush(): void {
    this.consumer?.flush();
  }

  /** A handler that runs is busy for up to 15 minutes, and a batch that waits for a retry is not stuck. */
  idleMs(): number {
    const now = this.timing.now();
    const overdue = [...this.handling].map(({ startedAt }) => now - startedAt - MAX_HANDLER_MS);
    return Math.max(0, this.consumer?.idleMs() ?? 0, ...overdue);
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.consumer?.stop();
  }

  /** Handles a batch in the groups that what was noted before asks for. */
  private async processBatch(batch: readonly ConsumedRecord[], notes: PartitionNotes): Promise<void> {
    const handled = await this.handledIn(batch, notes);
    for (const { records, interruptions } of handled.groupsOf(batch)) {
      const [record] = records;
      if (record !== undefined && handled.isFatal(record)) await this.rejectFatal(record);
      else await this.process(records, { notes, handled, interruptions, rejected: new Set() });
    }
    handled.completed((batch.at(-1)?.offset ?? 0) + 1);
  }

  /** Reads the note of the reader before, retrying until it is known. */
  private async handledIn(batch: readonly ConsumedRecord[], notes: PartitionNotes): Promise<HandledRecords> {
    const { partition = 0, offset = 0 } = batch[0] ?? {};
    for (let attempt = 0; ; attempt += 1) {
      this.assertRunning();
      try {
        const handled = this.handled.get(partition) ?? new HandledRecords(await notes.read(), this.subjectOf);
        this.handled.set(partition, handled);
        handled.completed(offset);
        return handled;
      } catch (error) {
        await this.waitForRetry(batch, attempt, error);
      }
    }
  }

  private async rejectFatal(record: ConsumedRecord): Promise<void> {
    const { group } = this.options;
    const { partition, offset } = record;
    this.options.logger.error('the process has ended twice while it handled a record', {
      ...{ group, partition, offset },
      projectId: this.options.projectOf?.(record),
    });
    await this.storeDeadLetter(record, ENDED_PROCESS);
    this.options.onFatalRecord?.();
  }

  /**
   * Resolves when each record of the batch is handled or a dead letter; rejects when the loop stops before
   * that.
   */
  private async process(batch: readonly ConsumedRecord[], processing: Processing): Promise<void> {
    const { rejected } = processing;
    const reject = async (record: ConsumedRecord, errorClass: string) => {
      if (rejected.has(record)) return;
      await this.storeDeadLetter(record, errorClass);
      rejected.add(record);
    };
    for (let attempt = 0; ; attempt += 1) {
      this.assertRunning();
      try {
        await this.handle(batch, reject, this.guard(batch, processing));
        this.breaker.recordSuccess(batch.filter((record) => !rejected.has(record)).length);
        return;
      } catch (error) {
        if (!isRetryable(error)) return this.isolate(batch, processing, error);
        await this.waitForRetry(batch, attempt, error);
      }
    }
  }

  private guard(batch: readonly ConsumedRecord[], processing: Processing): GuardedWork {
    return guardBatch(batch, processing, (error) =>
      this.options.logger.warn('the records to handle were not noted', this.describe(batch), error),
    );
  }

  private async handle(
    batch: readonly ConsumedRecord[],
    reject: RejectRecord,
    guarded: GuardedWork,
  ): Promise<void> {
    const call = { startedAt: this.timing.now() };
    this.handling.add(call);
    try {
      await this.options.handle(batch, reject, guarded);
    } finally {
      this.handling.delete(call);
    }
  }

  private async isolate(
    batch: readonly ConsumedRecord[],
    processing: Processing,
    error: unknown,
  ): Promise<void> {
    const [record] = batch;
    if (batch.length === 1 && record !== undefined) return this.deadLetter(record, error);
    const middle = batch.length >> 1;
    await this.process(batch.slice(0, middle), processing);
    await this.process(batch.slice(middle), processing);
  }

  private async deadLetter(record: ConsumedRecord, error: unknown): Promise<void> {
    const errorClass = error instanceof AppError ? error.code : 'unknown';
    if (errorClass === DATA_FAULT) return this.storeDeadLetter(record, errorClass, error);
    if (this.breaker.isFull()) this.trip();
    await this.storeDeadLetter(record, errorClass, error);
    this.breaker.recordFailure(this.options.projectOf?.(record));
  }

  private async storeDeadLetter(record: ConsumedRecord, errorClass: string, error?: unknown): Promise<void> {
    const project = this.options.projectOf?.(record);
    const epoch = this.options.epochOf?.(record);
    const reason = { group: this.options.group, errorClass, epoch, project };
    let isStored = false;
    for (let attempt = 0; ; attempt += 1) {
      this.assertRunning();
      try {
        isStored = await this.options.log.deadLetter(record, reason);
        break;
      } catch (failure) {
        await this.waitForRetry([record], attempt, failure);
      }
    }
    const fields = { ...this.describe([record]), errorClass, projectId: project };
    if (isStored) {
      this.options.onDeadLetter?.();
      this.options.logger.error('record stored as a dead letter', fields, error);
    } else {
      this.options.onDeadLetterDropped?.();
      this.options.logger.error('dead letters of the project are full, record not stored', fields, error);
    }
  }

  private async waitForRetry(
    batch: readonly ConsumedRecord[],
    attempt: number,
    error: unknown,
  ): Promise<void> {
    const waitMs = Math.round(backoffMs(attempt, this.timing.random(), this.options.maxBackoffMs));
    this.options.logger.warn('batch failed, retrying', { ...this.describe(batch), attempt, waitMs }, error);
    this.options.onRetry?.();
    await this.timing.wait(waitMs, this.stopped.signal);
  }

  private trip(): void {
    if (!this.hasTripped) {
      this.hasTripped = true;
      this.consumer?.pause();
      const { group } = this.options;
      this.options.logger.error('too many records failed, the reader has stopped', { group });
      this.options.onTripped?.();
    }
    this.assertRunning();
  }

  /** A batch that is rejected here is not committed; it is delivered again, to this reader or the next. */
  private assertRunning(): void {
    if (this.stopped.signal.aborted) throw new AppError('UNAVAILABLE', 'the reader is stopping');
    if (this.hasTripped)
      throw new AppError('UNAVAILABLE', 'the reader has stopped because too many records failed');
  }

  private describe(batch: readonly ConsumedRecord[]) {
    return {
      group: this.options.group,
      partition: batch[0]?.partition,
      offset: batch[0]?.offset,
      records: batch.length,
    };
  }
}
