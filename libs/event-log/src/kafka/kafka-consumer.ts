import type { Consumer as KafkaJsConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from '@assay/runtime';
import { cutBatch } from '../batch-cut.js';
import { withDeadline } from '../deadline.js';
import type { Consumer, ConsumedRecord, ReadOptions } from '../event-log.js';
import { MAX_RECORD_BYTES } from '../record-size.js';
import { Signal } from '../signal.js';
import { kafkaFailure, protocolTypeOf } from './kafka-failure.js';
import { toConsumedRecord } from './consumed-record.js';

export interface KafkaConsumerOptions extends ReadOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly groupId: string;
  /** Partitions of the topic: each may be handled at the same time as the others. */
  readonly partitions: number;
  readonly logger: Logger;
  /** Called when the client has given up for good: the process has to end, because it would go on without reading. */
  onCrash(error: Error): void;
  /** Called when the reader has left. */
  onStopped(): void;
}

/**
 * A member that is silent for this long is put out. A client that lost its coordinator comes back as a new member, and the group waits this
 * long for the old one, so it is also the longest pause in reading after a broker was restarted.
 */
const SESSION_MS = 30_000;
const REBALANCE_MS = 60_000;
const HEARTBEAT_MS = 3_000;
/** How often a heartbeat is offered while a handler runs; the client sends one each {@link HEARTBEAT_MS}. */
const HEARTBEAT_OFFER_MS = 1_000;
/** The broker answers a fetch as soon as there is a record, and after this time without one. */
const FETCH_WAIT_MS = 500;
const FETCH_BYTES = 2 * MAX_RECORD_BYTES;
const STOP_DEADLINE_MS = 20_000;
const RETRY_MS = 1_000;
const COMMIT_TRIES = 3;
const COMMIT_PAUSE_MS = 200;

/** Reads the topic as a member of a consumer group. */
export class KafkaConsumer implements Consumer {
  private readonly consumer: KafkaJsConsumer;
  private paused = false;
  private stopping: Promise<void> | undefined;
  private lastAsked = performance.now();
  private flushedAt = Number.NEGATIVE_INFINITY;
  /** Partitions whose next fetch is held back. */
  private readonly holds = new Set<Signal>();

  constructor(private readonly options: KafkaConsumerOptions) {
    this.consumer = options.kafka.consumer({
      groupId: options.groupId,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: REBALANCE_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytesPerPartition: MAX_RECORD_BYTES,
      maxBytes: FETCH_BYTES,
    });
    this.listen();
  }

  /** @throws AppError `UNAVAILABLE` when the brokers cannot be reached */
  async start(): Promise<void> {
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topic: this.options.topic, fromBeginning: true });
      await this.consumer.run({
        // Commits happen below, slice by slice; the threshold makes "if necessary" mean "if anything is resolved".
        autoCommitThreshold: 1,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.options.partitions,
        eachBatch: (payload) => this.eachBatch(payload),
      });
    } catch (error) {
      await this.stop();
      throw kafkaFailure(error);
    }
  }

  pause(): void {
    this.paused = true;
    this.applyPause();
    this.wakeHolds();
  }

  resume(): void {
    this.paused = false;
    this.withRunningGroup(() => this.consumer.resume([{ topic: this.options.topic }]));
  }

  flush(): void {
    this.flushedAt = performance.now();
    this.wakeHolds();
  }

  idleMs(): number {
    return performance.now() - this.lastAsked;
  }

  stop(): Promise<void> {
    this.stopping ??= this.leave();
    this.wakeHolds();
    return this.stopping;
  }

  private async leave(): Promise<void> {
    try {
      await withDeadline(this.consumer.disconnect(), STOP_DEADLINE_MS, 'a reader is still busy');
    } catch (error) {
      this.options.logger.warn('a reader could not leave in time', { group: this.options.group }, error);
    } finally {
      this.options.onStopped();
    }
  }

  private listen(): void {
    const { events } = this.consumer;
    this.consumer.on(events.FETCH_START, () => void (this.lastAsked = performance.now()));
    this.consumer.on(events.GROUP_JOIN, ({ payload }) => {
      // The client may have been on its way into the group when it was told to leave.
      if (this.stopping !== undefined) return void this.leave();
      // A client that restarted after a failure has forgotten that it was paused.
      if (this.paused) this.applyPause();
      this.options.onAssigned?.(payload.memberAssignment[this.options.topic] ?? []);
    });
    this.consumer.on(events.CRASH, ({ payload }) => {
      if (!payload.restart && this.stopping === undefined) this.options.onCrash(payload.error);
    });
  }

  private applyPause(): void {
    this.withRunningGroup(() => this.consumer.pause([{ topic: this.options.topic }]));
  }

  /** The client refuses to be paused while it is not in its group; joining applies what was asked for. */
  private withRunningGroup(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.options.logger.debug('the reader is not in its group now', {
        group: this.options.group,
        cause: String(protocolTypeOf(error)),
      });
    }
  }

  private wakeHolds(): void {
    for (const wakeUp of this.holds) wakeUp.notify();
  }

  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const askedAt = this.lastAsked;
    const startedAt = performance.now();
    const records = batch.messages.map((message) => toConsumedRecord(batch.partition, message));
    for (let start = 0; start < records.length;) {
      const end = cutBatch(records, start, this.options);
      if (!this.mayGoOn(payload) || !(await this.handOver(records.slice(start, end), payload))) return;
      start = end;
    }
    const more = Number(batch.highWatermark) > Number(batch.lastOffset()) + 1;
    if (!more && this.flushedAt < askedAt)
      await this.hold(payload, startedAt + this.options.lingerMs - performance.now());
  }

  /** What is not handed over is not resolved, so it comes again. */
  private mayGoOn(payload: EachBatchPayload): boolean {
    return payload.isRunning() && !payload.isStale() && !this.paused && this.stopping === undefined;
  }

  /**
   * @returns false when the handler rejected: after a pause the batch is fetched again. The rejection goes no further, because the
   * client ends for good on some classes of errors.
   */
  private async handOver(batch: readonly ConsumedRecord[], payload: EachBatchPayload): Promise<boolean> {
    try {
      await this.withHeartbeat(payload, () => this.options.onBatch(batch));
    } catch (error) {
      this.options.logger.error(
        'a batch was rejected and comes again',
        { group: this.options.group, offset: batch[0]?.offset },
        error,
      );
      await this.hold(payload, RETRY_MS);
      return false;
    }
    payload.resolveOffset(String(batch.at(-1)?.offset));
    await this.commit(payload);
    await payload.heartbeat();
    return true;
  }

  /** Commits through the batch, which also works while the group is being shared out anew. */
  private async commit(payload: EachBatchPayload): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await payload.commitOffsetsIfNecessary();
      } catch (error) {
        if (attempt === COMMIT_TRIES || protocolTypeOf(error) !== undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, COMMIT_PAUSE_MS));
      }
    }
  }

  /**
   * Holds the next fetch back, so that it brings more; a flush, a pause and the end cut it short. One fetch serves all partitions of a
   * broker, so their small batches gather together.
   */
  private async hold(payload: EachBatchPayload, waitMs: number): Promise<void> {
    if (waitMs <= 0 || !this.mayGoOn(payload)) return;
    const wakeUp = new Signal();
    this.holds.add(wakeUp);
    try {
      await this.withHeartbeat(payload, () => wakeUp.wait(waitMs));
    } finally {
      this.holds.delete(wakeUp);
    }
  }

  /** A heartbeat that fails while a handler runs is not the handler's business: the one after it tells the client. */
  private async withHeartbeat(payload: EachBatchPayload, work: () => Promise<void>): Promise<void> {
    const timer = setInterval(() => {
      payload.heartbeat().catch((error: unknown) => {
        this.options.logger.debug('heartbeat failed', {
          group: this.options.group,
          cause: protocolTypeOf(error),
        });
      });
    }, HEARTBEAT_OFFER_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
  }
}
