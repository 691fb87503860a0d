import type { Finding } from '@assay/runtime';

/**
 * One record to append. `key` selects the partition: all records of a key stay in one partition, in order.
 */
export interface LogRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A record as it is read, with its partition and offset. Offsets of a partition only grow. */
export interface ConsumedRecord extends LogRecord {
  readonly partition: number;
  readonly offset: number;
  /**
   * Time of the append in Unix milliseconds, by the clock of the appending process; the same on every
   * delivery.
   */
  readonly appendedAt: number;
}

/**
 * For each partition the offset of the next record to append (the log's end) or to read (a group's position).
 */
export type LogPosition = ReadonlyMap<number, number>;

/**
 * What the readers of a group note about a partition. A note survives the end of the process, however it ends, and need not
 * survive that of the machine. The reader that is assigned the partition next finds it.
 */
export interface PartitionNotes {
  /** Returns the newest note; '' without one. @throws AppError `UNAVAILABLE` */
  read(): Promise<string>;
  /** Replaces the note, by one of at most 500 characters. Resolves when it survives. @throws AppError `UNAVAILABLE` */
  write(note: string): Promise<void>;
}

export interface ReadOptions {
  /** Name of the consumer group. Groups read independently of each other. */
  readonly group: string;
  /** Maximum records of a batch. */
  readonly maxRecords: number;
  /** Maximum bytes of the values of a batch; a single larger record is a batch of its own. */
  readonly maxBytes: number;
  /**
   * Milliseconds between the starts of two batches of a partition, so that small batches accumulate; a function is
   * called for each wait. {@link Consumer.flush} cuts the wait short, and there is none while more than one batch is
   * available.
   */
  readonly lingerMs: number | (() => number);
  /**
   * Handles one batch: records of ONE partition in offset order. Resolving commits its offsets before the
   * next batch of that partition is delivered. It MUST NOT reject because of a record (the consumer loop
   * handles failing records); when it rejects, nothing is committed and the batch is delivered again. The notes of the
   * partition can be used until it settles; a commit may remove them.
   */
  onBatch(batch: readonly ConsumedRecord[], notes: PartitionNotes): Promise<void>;
  /** Called when this reader has been assigned other partitions, before their first batch. */
  onAssigned?(partitions: readonly number[]): void;
  /**
   * Returns the offsets up to which the results of the group are kept elsewhere, such as in a store that may have
   * been replaced by an older copy. Called after each assignment of partitions, before their first batch. The
   * committed position of a partition is lowered to its offset, and reading starts there, or at the first
   * retained record. A position that is lower already, or a partition without an offset, does not change. A
   * rejection is retried, and nothing is delivered before a call has succeeded.
   */
  startAt?(partitions: readonly number[]): Promise<LogPosition>;
}

/** A running reader. */
export interface Consumer {
  /** Stops delivering batches; a batch in progress is finished. The reader stays a member of its group. */
  pause(): void;
  resume(): void;
  /** Delivers available records immediately instead of waiting for the rest of the linger time. */
  flush(): void;
  /**
   * Returns the milliseconds for which reading has made no progress; grows when it is stuck. A batch that is being handled is progress,
   * however long it takes: who handles it bounds that.
   */
  idleMs(): number;
  /** Waits (at most 20 s) for the batch in progress, then leaves the group. Idempotent. */
  stop(): Promise<void>;
}

/** Why a record became a dead letter. */
export interface DeadLetterReason {
  readonly group: string;
  /** Class or code of the failure; never text that could quote a value. */
  readonly errorClass: string;
  /** Epoch of the record's version, for groups that have versions: offsets of different logs do not compare. */
  readonly epoch?: number;
  /** Project of the record, whose share of the dead letters bounds it; absent if it is unknown. */
  readonly project?: string;
}

/** A record that could not be processed, with the partition and offset that it was read from. */
export interface DeadLetter extends LogRecord {
  /** Sequence number among the dead letters; {@link EventLog.restoreDeadLetters} changes it. */
  readonly id: number;
  /** When it became a dead letter, in Unix milliseconds. */
  readonly at: number;
  readonly reason: DeadLetterReason;
  readonly partition: number;
  readonly offset: number;
}

/**
 * An append-only log of one topic. Adapters: Kafka, and segment files for the single process.
 * Every failure to reach the log is an `AppError` `UNAVAILABLE`; the outcome of the call is then unknown.
 */
export interface EventLog {
  /**
   * Appends all records. Resolves only when they are durable: acknowledged by all in-sync replicas, or synced
   * to disk. The embedded log appends all or none; on Kafka a rejected call may have written records of some
   * partitions. Records of one call keep their order per key. Without records it resolves immediately.
   * @throws AppError `UNAVAILABLE` when a cluster does not acknowledge within 8 s, or the files of the embedded log stand still for 8 s
   * (the work of its own process is no part of that time), `OVERLOADED` while more than
   * 64 MiB wait to become durable (nothing of this call was written), `PAYLOAD_TOO_LARGE` for a record over
   * 16 MiB including key and headers, or over what a topic takes less 4 KiB (nothing was written)
   */
  append(records: readonly LogRecord[]): Promise<void>;

  /**
   * Returns the identity of the log: the same for every process and after a restart. It changes when the log
   * was recreated, whose offsets then start again. The text before the last `/`, if there is one, is the location
   * of the log and stays the same when it is recreated there.
   * @throws AppError `UNAVAILABLE`
   */
  identity(): Promise<string>;

  /** Returns for each partition the offset of the first retained record, or the log's end without one. */
  retainedFrom(): Promise<LogPosition>;

  /** Returns the log's end. Everything whose append has resolved is before it. */
  end(): Promise<LogPosition>;

  /**
   * Returns the group's committed position; a partition that it never read is at the first retained offset.
   */
  position(group: string): Promise<LogPosition>;

  /**
   * Starts reading at the group's position, with at-least-once delivery. Readers of one group share its
   * partitions: each partition has one reader at a time. Positions that `startAt` lowers are lowered when the
   * promise resolves, unless other readers have the partitions. @throws AppError `UNAVAILABLE`
   */
  read(options: ReadOptions): Promise<Consumer>;

  /**
   * Stores a record as a dead letter, durably, with its original bytes and headers. Returns false, having stored
   * nothing, if the dead letters of the project fill its share, or if the record, from a time when more was allowed, is larger than the log takes;
   * the record is then on the log until that expires.
   * @throws AppError `UNAVAILABLE`
   */
  deadLetter(record: ConsumedRecord, reason: DeadLetterReason): Promise<boolean>;

  /**
   * Returns the oldest dead letters whose `id` is larger than `after`: at most `limit`, and about 64 MiB (but at least
   * one if there is one).
   * @param after -1 by default
   */
  deadLetters(limit: number, after?: number): Promise<readonly DeadLetter[]>;

  /**
   * Stores letters again behind the newest, durably, with their reason and time. The share of their project does not
   * bound them, because the caller drops the originals afterwards. @throws AppError `UNAVAILABLE`
   */
  restoreDeadLetters(letters: readonly DeadLetter[]): Promise<void>;

  /**
   * Deletes, durably, the dead letter with this `id` and all before it. An `id` that is already deleted has
   * no effect.
   */
  dropDeadLetters(throughId: number): Promise<void>;

  /** Resolves when the log is reachable. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Inspects what the log is stored on, for an operator. @throws AppError `UNAVAILABLE` */
  inspect(): Promise<readonly Finding[]>;

  /** Stops readers, waits for appends in progress, releases all resources. Idempotent. */
  close(): Promise<void>;
}
