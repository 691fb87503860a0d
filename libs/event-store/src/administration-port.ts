import type { DeletedValues, PurgeLimits, PurgeStep } from './deleted-values.js';
import type { Tombstone } from './event-state.js';
import type { Finding } from '@assay/runtime';

/** What a repair changed. */
export interface RepairReport {
  readonly removed: number;
  readonly completed: number;
}

/** The outcome of one step of a removal. */
export interface RemovalStep {
  /** Whether nothing is left. */
  readonly isComplete: boolean;
  /** Rows, over all tables, whose removal the step has started. */
  readonly rows: number;
}

/** Queries of clients that run, and that wait for their turn. */
export interface QueryLoad {
  readonly running: number;
  readonly waiting: number;
  /** Queries that clients have asked since the store was opened. */
  readonly asked: number;
}

/** What one merge of parts may take. */
export interface MergeLimits {
  /** Bytes of the partition on disk. */
  readonly maxBytes: number;
  /** Cancels the merge. */
  readonly signal: AbortSignal;
}

/** A partition whose parts were merged into one. */
export interface MergedPartition {
  readonly table: string;
  /** Parts that there were. */
  readonly parts: number;
  /** Their bytes on disk. */
  readonly bytes: number;
}

/**
 * Merges the parts of one partition of the store into one, so that reads open fewer of them. Changes nothing that a reader
 * sees.
 * @returns undefined when no partition within the limits is worth it, or when the merge was cancelled
 * @throws AppError `UNAVAILABLE`
 */
export type MergeParts = (limits: MergeLimits) => Promise<MergedPartition | undefined>;

/** What an event store in this process takes on its disk. */
export interface StoreSize {
  /** Returns the bytes on disk of what is stored, without parts that were replaced and stay for some minutes. */
  storedBytes(): Promise<number>;
  /** Returns about how many of these bytes are what stays of deleted events. */
  tombstoneBytes(): Promise<number>;
  /** Returns about how many of these bytes are media that no event refers to: they are removed some minutes later than their events. */
  unusedMediaBytes(): Promise<number>;
  /**
   * Returns the time, Unix milliseconds, before which the oldest events start that have this share, 0 to 1, of the bytes of all projects,
   * estimated and to the second, but at least one event; undefined when there are none.
   */
  endOfOldest(share: number): Promise<number | undefined>;
}

/** Operates a store: its tables, its repair, what is removed from it, its health. */
export interface AdministrationPort {
  /** Migrates the tables. MUST be idempotent, also when two processes run it concurrently. */
  migrate(): Promise<void>;

  /** Returns the versions of the migrations that `migrate` would run, all of them for an empty database. Changes nothing. */
  missingMigrations(): Promise<number[]>;

  /**
   * Returns up to `limit` rows without a payload, as the tombstones that remove them: counted by searches, but not returned. This release
   * leaves none behind. While a batch is written, its rows can be among them.
   */
  rowsWithoutPayload(limit: number): Promise<readonly Tombstone[]>;

  /**
   * Writes what crashed writes left out of deletes, and completes or removes rows that those of a release before left without a payload.
   * A redelivered batch is stored as if there had been no repair.
   */
  repair(): Promise<RepairReport>;

  /** Returns the ids of all projects that anything is stored of, deleted rows and waiting updates included. */
  projectIds(): Promise<readonly string[]>;

  /**
   * Starts the next step of the removal of everything that is stored of a project, unless a step is in progress;
   * call it until it is complete. MUST survive a crash at any time, and MUST be harmless when several processes
   * call it. Rows that are written concurrently may be left.
   */
  removeProject(projectId: string): Promise<RemovalStep>;

  /**
   * Returns what deleted events have left on disk: rows that hold their values in any version, and updates of them, also those
   * that were replaced. Reads the keys and flags of all rows.
   */
  deletedValues(): Promise<DeletedValues>;

  /**
   * Starts the next step of the removal of what {@link deletedValues} counts, those parts first that hold most of it, unless a
   * step is in progress. MUST change nothing that a reader sees, survive a crash at any time, and be harmless when several
   * processes call it. Parts that are replaced stay on disk for some minutes.
   */
  purgeDeleted(limits: PurgeLimits): Promise<PurgeStep>;

  /** Resolves when the engine responds. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Inspects the engine for an operator: version, clock, and on a server rights and limits. @throws AppError `UNAVAILABLE` */
  inspect(): Promise<readonly Finding[]>;

  /** Queries of clients, of all projects. Reads counters only. */
  queryLoad(): QueryLoad;

  /** Cancels queries of clients, waits for running statements, then releases all resources. MUST be idempotent. */
  close(): Promise<void>;
}
