import type { EventKey, StoreBatch } from './event-state.js';
import type { Evaluation } from '@assay/domain';

/** What the store holds of one partition of the log, in one epoch. */
export interface PartitionPosition {
  /** Offset of the first record whose version has the epoch. Records before it have that of an earlier epoch. */
  readonly first: number;
  /** The store holds every record before this offset. A lower bound: it may hold more. */
  readonly position: number;
}

/** What the store holds of one log, in one epoch of versions. */
export interface LogEpoch {
  /** 0 to 511; part of every version. */
  readonly epoch: number;
  /** Identity of the log. */
  readonly log: string;
  readonly partitions: ReadonlyMap<number, PartitionPosition>;
}

/** The evaluation of an event. */
export interface StoredEvaluation extends Evaluation, EventKey {}

/** An evaluation to write, or one that waits. */
export interface EvaluationRow extends StoredEvaluation {
  /** Partition of the log that the event's records are in. */
  readonly logPartition: number;
}

/** What the store reader writes: events, their evaluations, and how far the store has come on the log. */
export interface WriterPort {
  /**
   * Writes one batch. It MUST be durable when the promise resolves. Writing a batch again, also under another
   * token, MUST NOT change what readers see. A row that keeps its payload MUST NOT be written to a location that
   * has none.
   */
  write(batch: StoreBatch): Promise<void>;

  /**
   * Makes rows findable by their ids that a process of an earlier release has stored since then, Unix seconds: those write no keys by
   * id. Changes nothing for others.
   */
  writeMissingIds(since: number): Promise<void>;

  /**
   * Writes the states of evaluations, durably when it resolves. Of one event, metric and version it keeps the state with
   * the highest trigger, then the one with the most attempts, then the one that is complete; so the order of writes
   * does not matter. The same rows under the same token have no further effect.
   */
  writeEvaluations(rows: readonly EvaluationRow[], token: string): Promise<void>;

  /** Deletes the evaluations that these events have now; they stay deleted. */
  removeEvaluations(keys: readonly EventKey[]): Promise<void>;

  /**
   * Returns the recorded epochs, lowest first. Two logs in one epoch are two entries. A store that was lost has
   * none; one that was restored has those of its copy.
   */
  logEpochs(): Promise<readonly LogEpoch[]>;

  /**
   * Records an epoch, or new positions of one. It MUST be durable when the promise resolves. Of what was recorded
   * for a partition, the lowest `first` and the highest `position` count, so concurrent writers agree. Write a
   * position only after the records before it.
   */
  recordLogEpoch(epoch: LogEpoch): Promise<void>;
}
