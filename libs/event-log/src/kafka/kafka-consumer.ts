import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer as KafkaJsConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Logger } from '@assay/runtime';
import { cutBatch } from '../batch-cut.js';
import { withDeadline } from '../deadline.js';
import type { Consumer, ConsumedRecord, LogPosition, PartitionNotes, ReadOptions } from '../event-log.js';
import { lingerMsOf } from '../linger.js';
import { MAX_RECORD_BYTES } from '../record-size.js';
import { Signal } from '../signal.js';
import { ConsumerProgress } from './consumer-progress.js';
import { GroupMembership } from './group-membership.js';
import { kafkaFailure, protocolTypeOf } from './kafka-failure.js';
import { toConsumedRecord } from './consumed-record.js';
import { StartPositions } from './start-positions.js';

export interface KafkaConsumerOptions extends ReadOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  readonly groupId: string;
  /** Number of partitions of the topic; all are handled concurrently. */
  readonly partitions: number;
  /**
   * A member without heartbeats is removed after this time. A process that was killed does not leave its group, so this is also the longest
   * pause in reading after a kill. A reader that stops, or that rejoins as another member, removes its member: {@link GroupMembership}.
   */
  readonly sessionMs: number;
  readonly logger: Logger;
  /** Returns those of the partitions whose committed position is to be lowered, and to which offset. */
  rewinds(partitions: readonly number[]): Promise<LogPosition>;
  /** Returns the note that was committed with the position of a partition; '' without one. */
  noteOf(partition: number): Promise<string>;
  /** Removes a member from the group, over a connection without pending requests. */
  removeMember(memberId: string): Promise<void>;
  /** Called when the client has failed permanently. The process has to end, because it no longer reads. */
  onCrash(error: Error): void;
  /** Called when the reader has left its group. */
  onStopped(): void;
}

/** At least the longest session: a rebalance waits for a member that was killed until its session ends. */
const REBALANCE_MS = 60_000;
const HEARTBEAT_MS = 3_000;
/** How often the client may send a heartbeat while a handler runs; it sends one each {@link HEARTBEAT_MS}. */
const HEARTBEAT_OFFER_MS = 1_000;
/** A broker responds to a fetch as soon as it has a record, or after this time without one. */
const FETCH_WAIT_MS = 500;
const FETCH_BYTES = 2 * MAX_RECORD_BYTES;
const STOP_DEADLINE_MS = 20_000;
/** A member that was removed may wait for a response that the broker never sends. */
const DISCONNECT_MS = 1_000;
const START_DEADLINE_MS = 8_000;
const RETRY_MS = 1_000;
const COMMIT_ATTEMPTS = 3;
const COMMIT_RETRY_MS = 200;

/** Reads the topic as a member of a consumer group. */
export class KafkaConsumer implements Consumer {
  private readonly consumer: KafkaJsConsumer;
  private paused = false;
  private stopping: Promise<void> | undefined;
  private lastPolledAt = performance.now();
  private readonly progress = new ConsumerProgress();
  private readonly membership: GroupMembership;
  private flushedAt = Number.NEGATIVE_INFINITY;
  /** Wake up partitions whose next fetch is delayed. */
  private readonly holds = new Set<Signal>();
  private readonly starts: StartPositions;

  constructor(private readonly options: KafkaConsumerOptions) {
    this.membership = new GroupMembership(options);
    this.consumer = options.kafka.consumer({
      groupId: options.groupId,
      sessionTimeout: options.sessionMs,
      rebalanceTimeout: REBALANCE_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytesPerPartition: MAX_RECORD_BYTES,
      maxBytes: FETCH_BYTES,
      partitionAssigners: [this.membership.assigner(this.progress.assigner)],
      retry: { restartOnFailure: () => Promise.resolve(this.membership.mayRestart()) },
    });
    this.starts = new StartPositions({
      ...options,
      rewinds: (partitions) => options.rewinds(partitions),
      seek: (partition, offset) =>
        this.consumer.seek({ topic: options.topic, partition, offset: String(offset) }),
      commit: (positions) =>
        this.consumer.commitOffsets(
          [...positions].map(([partition, offset]) => ({
            topic: options.topic,
            partition,
            offset: String(offset),
          })),
        ),
    });
    this.listen();
  }

  /** @throws AppError `UNAVAILABLE` when the brokers cannot be reached */
  async start(): Promise<void> {
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topic: this.options.topic, fromBeginning: true });
      await this.consumer.run({
        // Offsets are committed batch by batch below. This threshold makes commitOffsetsIfNecessary commit
        // every time.
        autoCommitThreshold: 1,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.options.partitions,
        eachBatch: (payload) => this.progress.handle(() => this.eachBatch(payload)),
      });
      await this.starts.settled(START_DEADLINE_MS);
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
    return this.progress.idleMs();
  }

  stop(): Promise<void> {
    this.stopping ??= this.leave();
    this.wakeHolds();
    return this.stopping;
  }

  private async leave(): Promise<void> {
    this.starts.stop();
    try {
      await withDeadline(this.leaveGroup(), STOP_DEADLINE_MS, 'the batch in progress did not finish in time');
    } catch (error) {
      this.options.logger.warn(
        'consumer did not leave its group in time',
        { group: this.options.group },
        error,
      );
    } finally {
      this.options.onStopped();
    }
  }

  private async leaveGroup(): Promise<void> {
    const left = this.membership.leave();
    const disconnected = this.consumer.disconnect();
    const givenUp = left.then((isRemoved) =>
      isRemoved ? delay(DISCONNECT_MS, undefined, { ref: false }) : disconnected,
    );
    await Promise.race([Promise.all([left, disconnected]), givenUp]);
  }

  private listen(): void {
    const { events } = this.consumer;
    this.progress.follow(this.consumer);
    this.membership.follow(this.consumer);
    this.consumer.on(events.FETCH_START, () => void (this.lastPolledAt = performance.now()));
    this.consumer.on(events.GROUP_JOIN, ({ payload }) => {
      // A client that restarted after a failure is no longer paused.
      if (this.paused) this.applyPause();
      const partitions = payload.memberAssignment[this.options.topic] ?? [];
      this.options.onAssigned?.(partitions);
      if (this.options.startAt !== undefined) this.starts.assigned(partitions);
    });
    this.consumer.on(events.CRASH, ({ payload }) => {
      if (!payload.restart && this.stopping === undefined) this.options.onCrash(payload.error);
    });
  }

  private applyPause(): void {
    this.withRunningGroup(() => this.consumer.pause([{ topic: this.options.topic }]));
  }

  /** kafkajs cannot pause or resume while it is not in its group; joining applies the pause. */
  private withRunningGroup(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.options.logger.debug('consumer is not in its group', {
        group: this.options.group,
        cause: String(protocolTypeOf(error)),
      });
    }
  }

  private wakeHolds(): void {
    for (const hold of this.holds) hold.notify();
  }

  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    // What is not delivered is fetched again, from the lowered position if there is one.
    if (this.starts.isPending) return this.waitForStart(payload);
    const polledAt = this.lastPolledAt;
    const startedAt = performance.now();
    const records = batch.messages.map((message) => toConsumedRecord(batch.partition, message));
    for (let start = 0; start < records.length;) {
      const end = cutBatch(records, start, this.options);
      if (!this.mayContinue(payload) || !(await this.deliver(records.slice(start, end), payload))) return;
      start = end;
    }
    const more = Number(batch.highWatermark) > Number(batch.lastOffset()) + 1;
    if (!more && this.flushedAt < polledAt)
      await this.hold(payload, startedAt + lingerMsOf(this.options) - performance.now());
  }

  private waitForStart(payload: EachBatchPayload): Promise<void> {
    return this.withHeartbeat(payload, () => this.starts.settled(RETRY_MS).catch(() => undefined));
  }

  /** Records that are not delivered are not resolved, so they are fetched again. */
  private mayContinue(payload: EachBatchPayload): boolean {
    return payload.isRunning() && !payload.isStale() && !this.paused && this.stopping === undefined;
  }

  /**
   * Delivers a batch and commits it. Returns false when the handler rejected; after a pause the batch is
   * fetched again. The error is not rethrown, because kafkajs stops permanently on some error classes.
   */
  private async deliver(batch: readonly ConsumedRecord[], payload: EachBatchPayload): Promise<boolean> {
    try {
      await this.withHeartbeat(payload, () => this.options.onBatch(batch, this.notesAt(batch)));
    } catch (error) {
      this.options.logger.error(
        'batch handler failed, delivering the batch again',
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

  /** Notes are committed with the position of the group, which is the first record of the batch. */
  private notesAt([first]: readonly ConsumedRecord[]): PartitionNotes {
    const { partition = 0, offset = 0 } = first ?? {};
    const position = { topic: this.options.topic, partition, offset: String(offset) };
    return {
      read: () => this.options.noteOf(partition),
      write: async (metadata) => {
        try {
          await this.consumer.commitOffsets([{ ...position, metadata }]);
        } catch (error) {
          throw kafkaFailure(error);
        }
      },
    };
  }

  /** Commits through the batch payload, which also works during a rebalance. */
  private async commit(payload: EachBatchPayload): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await payload.commitOffsetsIfNecessary();
      } catch (error) {
        if (attempt === COMMIT_ATTEMPTS || protocolTypeOf(error) !== undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, COMMIT_RETRY_MS));
      }
    }
  }

  /**
   * Delays the next fetch, so that records accumulate; a flush, a pause or a stop ends the delay. One fetch
   * serves all partitions of a broker, so their small batches accumulate together.
   */
  private async hold(payload: EachBatchPayload, waitMs: number): Promise<void> {
    if (waitMs <= 0 || !this.mayContinue(payload)) return;
    const hold = new Signal();
    this.holds.add(hold);
    try {
      await this.withHeartbeat(payload, () => hold.wait(waitMs));
    } finally {
      this.holds.delete(hold);
    }
  }

  /**
   * Sends heartbeats while the work runs. A failed heartbeat is only logged; the client notices the next
   * failure itself.
   */
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
