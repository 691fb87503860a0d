import type { Filter } from '@assay/domain';

/** Rows of events by table, in the newest version of each. */
export interface DeletedRows {
  readonly events: number;
  readonly event_payloads: number;
  readonly event_changes: number;
  readonly evaluations: number;
}

/** A deletion of the events that match filters, and its receipt. Times are Unix milliseconds; null: not yet. */
export interface Deletion {
  readonly projectId: string;
  /** A UUID. */
  readonly id: string;
  readonly state: 'running' | 'deleted' | 'erased' | 'verified';
  /** Null once they are forgotten: they have values. */
  readonly filters: readonly Filter[] | null;
  /** Bounds of `start_time`; `from` null: none. */
  readonly from: number | null;
  readonly to: number;
  /** Events that were found. */
  readonly matched: number;
  readonly rows: DeletedRows;
  /** The first event of the page that is counted, and whose records may not be on the log; null when there is none. */
  readonly deleting: string | null;
  /** Where the log ended when nothing was found any more: partition and offset. */
  readonly logEnd: readonly (readonly [number, number])[];
  readonly isForwarded: boolean;
  readonly createdAt: number;
  /** Until then, events that arrive late are looked for. */
  readonly lateUntil: number;
  readonly deletedAt: number | null;
  readonly erasedAt: number | null;
  readonly verifiedAt: number | null;
  /** Grows with each change. */
  readonly version: number;
}

/** Which rows to count. */
export interface RowsOfEvents {
  readonly eventIds: readonly string[];
  /** Sessions whose events count as well. */
  readonly sessionIds: readonly string[];
}

/** Deletions by filters, and what they need to know. */
export interface DeletionsPort {
  /** Writes a state of a deletion, durably when it resolves. `isOpen`: {@link open} returns it. */
  write(deletion: Deletion, isOpen: boolean): Promise<void>;

  /** Returns the deletion; undefined when the project has none of this id. */
  read(projectId: string, id: string): Promise<Deletion | undefined>;

  /** Returns the open deletions, of one project or of all of them. */
  open(projectId?: string): Promise<readonly Deletion[]>;

  /** Has the engine remove all former versions of a deletion from the disk. Repeating it does no harm. */
  forgetFormerVersions(deletion: Deletion): Promise<void>;

  /** Counts the visible rows of at most 1,000 events, and of the events of sessions. */
  countRows(projectId: string, events: RowsOfEvents): Promise<DeletedRows>;

  /**
   * Counts the rows that hold values of events which were deleted until this time, in any part and version: it reads without
   * the merging of versions, so that a row that no reader sees counts.
   */
  countDeletedRows(projectId: string, deletedUntil: number): Promise<number>;

  /** Whether files are on disk of parts that were replaced until this time, Unix milliseconds. */
  hasFormerParts(replacedUntil: number): Promise<boolean>;
}
