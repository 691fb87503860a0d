/** One record to append. `key` chooses the partition: all records of a key stay in one partition, in order. */
export interface LogRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A record as it is read, with its place: offsets of a partition only grow. */
export interface ConsumedRecord extends LogRecord {
  readonly partition: number;
  readonly offset: number;
  /** When it was appended, Unix milliseconds of the clock of whoever appended it; the same on every delivery. */
  readonly appendedAt: number;
}

/** For each partition the offset that the next record gets (the log's end) or that the group reads next (its position). */
export type LogPosition = ReadonlyMap<number, number>;

export interface ReadOptions {
  /** Name of the consumer group. Groups read independently of each other. */
  readonly group: string;
  /** A batch is cut after this many records … */
  readonly maxRecords: number;
  /** … or once its values reach this many bytes (a single larger record is a batch of its own). */
  readonly maxBytes: number;
  /**
   * Milliseconds between the starts of two batches of a partition, so that small ones gather; {@link Consumer.flush} cuts it
   * short, and while there is more to hand over than one batch holds nobody waits.
   */
  readonly lingerMs: number;
  /**
   * Handles one batch: records of ONE partition in offset order. Resolving means the batch is done: its offsets are
   * committed before the next batch of that partition is handed over. MUST NOT reject for a record's sake
   * (the read loop takes care of that); if it rejects all the same, nothing is committed and the batch comes again.
   */
  onBatch(batch: readonly ConsumedRecord[]): Promise<void>;
  /** Called when this reader has been given another set of partitions, before their first batch. */
  onAssigned?(partitions: readonly number[]): void;
}

/** A running reader. */
export interface Consumer {
  /** Stops handing over batches; a batch under way is finished. The group keeps its membership. */
  pause(): void;
  resume(): void;
  /** Hands over what is there now instead of waiting for the rest of the linger time. */
  flush(): void;
  /** Milliseconds since the reader last asked the log for records; grows when it is stuck. */
  idleMs(): number;
  /** Waits (at most 20 s) for the batch under way, then leaves the group. Idempotent. */
  stop(): Promise<void>;
}

/** Why a record was set aside. */
export interface DeadLetterReason {
  readonly group: string;
  /** Class or code of the failure; never text that could quote a value. */
  readonly errorClass: string;
}

/** A record that was set aside, with the place that it came from. */
export interface DeadLetter extends LogRecord {
  /** Place among the dead letters: later ones have higher numbers. */
  readonly id: number;
  readonly reason: DeadLetterReason;
  readonly partition: number;
  readonly offset: number;
}

/**
 * An append-only log of one topic. Adapters: Kafka, and segment files for the single process.
 * Every failure to reach the log is an `AppError` `UNAVAILABLE`; then nothing is known about the outcome.
 */
export interface EventLog {
  /**
   * Appends all records. Resolves only when they are durable: acknowledged by all in-sync replicas, or synced to disk.
   * The embedded log appends all or none; on Kafka records of several partitions may land apart when it rejects.
   * Records appended by one call keep their order per key. No records: resolves at once.
   * @throws AppError `UNAVAILABLE` when it could not be done within 8 s, `OVERLOADED` while more than 64 MiB wait to become durable
   * (nothing of this call was written then), `PAYLOAD_TOO_LARGE` for a record over 16 MiB (key, headers and value; nothing was written)
   */
  append(records: readonly LogRecord[]): Promise<void>;

  /**
   * Identifies this log: the same for everyone who opens it and after a restart, another one once the log was created anew, whose
   * offsets then start again. @throws AppError `UNAVAILABLE`
   */
  identity(): Promise<string>;

  /** The log's end. Everything whose append has resolved is before it. */
  end(): Promise<LogPosition>;

  /** What the group has committed; a partition that it never read stands at the first offset that is kept. */
  position(group: string): Promise<LogPosition>;

  /**
   * Starts reading at the group's position. Delivery is at least once. Several readers of one group share its partitions:
   * each partition has one reader at a time. @throws AppError `UNAVAILABLE`
   */
  read(options: ReadOptions): Promise<Consumer>;

  /** Sets a record aside, durably, with its original bytes and headers. */
  deadLetter(record: ConsumedRecord, reason: DeadLetterReason): Promise<void>;

  /** The records that were set aside, oldest first: at most `limit`, and about 64 MiB (but at least one if there is one). */
  deadLetters(limit: number): Promise<readonly DeadLetter[]>;

  /** Forgets, durably, the dead letter with this `id` and all before it. An `id` that is gone already has no effect. */
  dropDeadLetters(throughId: number): Promise<void>;

  /** Resolves when the log can be reached. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Stops readers, waits for appends under way, releases everything. Idempotent. */
  close(): Promise<void>;
}
