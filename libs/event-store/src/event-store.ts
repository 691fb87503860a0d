import type {
  DecidedEvents,
  Evaluation,
  EvaluationDecision,
  Event,
  JsonObject,
  StoredEvent,
  TreePlace,
} from '@assay/domain';
import type { Finding } from '@assay/runtime';
import type { AggregateReads } from './aggregate-reads.js';
import type { PagedReads } from './paged-reads.js';
import type { SessionMembers, SessionPosition, SessionQuery, WrittenQuery } from './session-pages.js';
import type { ExpiredPage, ExpiredQuery } from './expired-events.js';
import type { DeletedValues, PurgeLimits, PurgeStep } from './deleted-values.js';
import type { ChangeFlags, EventKey, EventState, StateKey, StoreBatch, Tombstone } from './event-state.js';
import type { QueryOptions, RowLocation } from './row-location.js';
import type { RunMembers } from './run-members.js';
import type { SessionSummary } from './session-summary.js';

export * from './session-summary.js';

export type { DeletedValues, PurgeLimits, PurgeStep } from './deleted-values.js';
export type * from './expired-events.js';
export type * from './event-state.js';
export type { QueryOptions, RowLocation, RowVersion } from './row-location.js';
export type { SessionMembers, SessionPosition, SessionQuery, WrittenQuery } from './session-pages.js';

/** A page of locations: about `limit` of them, with event ids after `after` (absent: from the first). */
export interface LocationPage {
  /** Only those below one of these parents, at most 1,000; absent: all. */
  readonly parentIds?: readonly string[];
  readonly after?: string;
  readonly limit: number;
}

/** A page of event ids: at most `limit` of them, those after `after` (absent: from the first). */
export interface IdPage {
  readonly after?: string;
  readonly limit: number;
}

/** Rows that are in one of the two tables only, as the tombstones that remove them. */
export interface IncompleteRows {
  /** Counted by searches, but not returned. */
  readonly withoutPayload: readonly Tombstone[];
  /** Neither counted nor returned. */
  readonly payloadOnly: readonly Tombstone[];
}

/** What a repair changed. */
export interface RepairReport {
  readonly removed: number;
  readonly completed: number;
}

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

/** Which evaluations that wait to read. */
export interface PendingQuery {
  /** Partitions of the log. */
  readonly partitions: readonly number[];
  /** Of one project, so that one with many does not hide the others. */
  readonly perProject: number;
  readonly limit: number;
}

/** Which decisions about a metric to count. */
export interface DecisionQuery {
  readonly metricId: string;
  /** Bounds of the time of the decision, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
}

export interface DecisionCount {
  readonly decision: EvaluationDecision;
  readonly events: number;
  /** Events by the code of their failure; empty for decisions without failures. */
  readonly errorCodes: Readonly<Record<string, number>>;
  /** US dollars; null when that of one is unknown. */
  readonly cost: number | null;
}

/** The outcome of one step of a removal. */
export interface RemovalStep {
  /** Whether nothing is left. */
  readonly isComplete: boolean;
  /** Rows, over all tables, whose removal the step has started. */
  readonly rows: number;
}

/** One condition of a search; see the filter language in `@assay/domain`. */
export type { Filter } from '@assay/domain';
import type { Filter } from '@assay/domain';

export interface EventQuery {
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Only events of these runs. */
  readonly runs?: RunMembers;
  /** 1 to 7,500. */
  readonly limit: number;
  /** Rows to skip. */
  readonly offset: number;
  /** Newest `start_time` first, `event_id` as tie-break; false: any order. */
  readonly ordered: boolean;
}

/** Options of a read of events. */
export interface PageOptions extends QueryOptions {
  /** Whether to read what {@link EventStore.derivedOf} returns for the events, too. */
  readonly withDerived?: boolean;
}

/** Options of the start of a page. */
export interface StartOptions extends PageOptions {
  /**
   * Returns the bound on the payloads of a page whose events are held, in bytes; 16 MiB at most. Called when the project has its
   * turn. Of a larger page the locations of the events are returned.
   */
  readonly maxHeldBytes?: () => number;
}

/** Options of a read of events by their locations. */
export interface PartOptions extends PageOptions {
  /** Whether these are all events of the project that started between the first and the last one. A hint. */
  readonly areDense?: boolean;
}

export interface EventPage {
  readonly events: readonly Event[];
  /** What is derived for the events; absent unless it was asked for. */
  readonly derived?: DerivedValues;
  /** Number of events that match, over all pages. */
  readonly total: number;
}

/** A matching event that was not read yet. */
export interface UnreadEvent {
  readonly eventId: string;
  readonly sessionId: string;
  /** Hour of the sort key, Unix seconds. */
  readonly startHour: number;
  /** Bytes of inputs, outputs and config as stored. */
  readonly payloadBytes: number;
}

/** Events that were read. */
export interface ReadEvents {
  readonly events: readonly Event[];
  /** What is derived for the events; absent unless it was asked for and there are any. */
  readonly derived?: DerivedValues;
}

/** The same with their open objects as they are stored. */
export interface StoredEvents extends Pick<ReadEvents, 'derived'> {
  readonly events: readonly StoredEvent[];
}

/** The first events of a page, and those that follow in its order. */
export interface PagePart extends ReadEvents {
  readonly unread: readonly UnreadEvent[];
}

/** The beginning of a page, with the number of events that match, over all pages. */
export interface PageStart extends PagePart {
  readonly total: number;
  /**
   * All events of a large page, instead of `events`, with their open objects as stored. They are read in one turn of the
   * project, whether they are asked for or not, and held until then, so that a slow reader occupies no turn. Rejects as
   * `search`.
   */
  readonly parts?: AsyncIterable<StoredEvents>;
}

/**
 * Totals over the visible events of a session. Usage that several events report counts once, decided by their
 * positions in the tree (`countUsage` of the domain); in a session of more than 20,000 events all model
 * events count, and only they.
 */
export interface SessionRollup {
  /** Events other than the session itself. */
  readonly numEvents: number;
  readonly numModelEvents: number;
  /** Events that ended with an error. */
  readonly numErrors: number;
  readonly hasFeedback: boolean;
  /** USD, over model events; null when the cost of a part is unknown. */
  readonly cost: number | null;
  /** The models of that part, as `listUnpriced` of the domain returns them. */
  readonly unpricedModels: readonly string[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Unix milliseconds over the session's events (not the session itself); absent when it has none. */
  readonly firstStart?: number;
  readonly lastEnd?: number;
}

/** All events of a session, its own included. */
export interface WholeSession {
  readonly events: readonly Event[];
  /** Absent when the session has no events but its own. */
  readonly rollup?: SessionRollup;
}

/** What is derived for events from others. */
export interface DerivedValues {
  /** Roll-ups by session id; a session without events is absent. */
  readonly rollups: ReadonlyMap<string, SessionRollup>;
  /** Children, as {@link EventStore.childrenOf}. */
  readonly children: readonly TreePlace[];
  /** Events that these name as their children, as {@link EventStore.treePlacesOf}; absent unless they were read, too. */
  readonly named?: readonly TreePlace[];
}

/** An event with what is derived for it. */
export interface EventWithDerived {
  readonly event: Event;
  readonly derived: DerivedValues;
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
  /**
   * Returns the time, Unix milliseconds, before which the oldest events start that have this share, 0 to 1, of the bytes of all projects,
   * estimated and to the second, but at least one event; undefined when there are none.
   */
  endOfOldest(share: number): Promise<number | undefined>;
}

/**
 * Stores and finds events. Adapters: ClickHouse over HTTP, and chDB in the process.
 *
 * Reads MUST NOT return a deleted event, two rows of one event (also after a batch was delivered twice), or
 * data of another project. Failing to reach the engine MUST be an `AppError` `UNAVAILABLE`, and a row that
 * the engine rejects `VALIDATION_ERROR`.
 */
export interface EventStore extends AggregateReads, PagedReads {
  /** Migrates the tables. MUST be idempotent, also when two processes run it concurrently. */
  migrate(): Promise<void>;

  /** Returns the versions of the migrations that `migrate` would run, all of them for an empty database. Changes nothing. */
  missingMigrations(): Promise<number[]>;

  /**
   * Returns up to `limit` rows of each kind that are in one table only. While a batch is written, its rows can be
   * among them.
   */
  incompleteRows(limit: number): Promise<IncompleteRows>;

  /**
   * Removes or completes rows that crashed writes left in one table only. A redelivered batch is stored as if
   * there had been no repair.
   */
  repair(): Promise<RepairReport>;

  /**
   * Writes one batch. It MUST be durable when the promise resolves. Writing a batch again, also under another
   * token, MUST NOT change what readers see. A row that keeps its payload MUST NOT be written to a location that
   * has none.
   */
  write(batch: StoreBatch): Promise<void>;

  /**
   * Writes the states of evaluations, durably when it resolves. Of one event, metric and version it keeps the state with
   * the highest trigger, then the one with the most attempts, then the one that is complete; so the order of writes
   * does not matter. The same rows under the same token have no further effect.
   */
  writeEvaluations(rows: readonly EvaluationRow[], token: string): Promise<void>;

  /** Deletes the evaluations that these events have now; they stay deleted. */
  removeEvaluations(keys: readonly EventKey[]): Promise<void>;

  /**
   * Returns the evaluations of events, keyed by `projectId/eventId`; events without one are absent. With `query`, a
   * client asks, about events of one project.
   */
  evaluations(
    keys: readonly EventKey[],
    query?: QueryOptions,
  ): Promise<ReadonlyMap<string, readonly Evaluation[]>>;

  /** Returns evaluations that wait, oldest decision first. */
  pendingEvaluations(query: PendingQuery): Promise<readonly EvaluationRow[]>;

  /** Counts the events of a metric by their newest decision; a decision without events is absent. */
  countDecisions(
    projectId: string,
    query: DecisionQuery,
    options?: QueryOptions,
  ): Promise<readonly DecisionCount[]>;

  /**
   * Returns the newest decisions about events by the name of the metric, with the ids of the events whose evaluation is
   * pending, or ended without a score other than by a rule of the metric. Unknown ids count for nothing. Of more than
   * 20,000 ids an entry may be split.
   * @throws AppError as `search`
   */
  decidedEvents(
    projectId: string,
    eventIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly DecidedEvents[]>;

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

  /**
   * Returns the states of these events, keyed by `projectId/eventId`; unknown events are absent. With `query`, a
   * client asks, about events of one project.
   */
  states(keys: readonly StateKey[], query?: QueryOptions): Promise<ReadonlyMap<string, EventState>>;

  /**
   * Returns about how many bytes the stored states of these events take, keyed by `projectId/eventId`, without the
   * payloads that a key leaves out; unknown events are absent. MUST NOT read the states themselves.
   */
  stateSizes(keys: readonly StateKey[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Returns the flags of those keys that were deleted or moved, keyed by `projectId/eventId`. MUST be cheaper
   * than `states`.
   */
  readChangeFlags(keys: readonly EventKey[]): Promise<ReadonlyMap<string, ChangeFlags>>;

  /**
   * Returns the locations of the visible rows of at most 1,000 sessions, including the sessions' own rows.
   * They MUST be ordered by event id as the engine sorts it: the last id is the `after` of the next page, and
   * an empty page is the end.
   */
  rowLocations(
    projectId: string,
    sessionIds: readonly string[],
    page: LocationPage,
  ): Promise<readonly RowLocation[]>;

  /**
   * Returns the ids of events that had a row in one of these sessions (at most 1,000) and were relocated from it or
   * deleted with it. They MUST be ordered as the engine sorts them: the last id is the `after` of the next page,
   * and an empty page is the end.
   */
  relocatedIds(projectId: string, sessionIds: readonly string[], page: IdPage): Promise<readonly string[]>;

  /**
   * Streams every `projectId/eventId` that has a row or changes, in pages, to build the filter of event ids
   * at start.
   */
  knownKeys(onPage: (keys: readonly string[]) => void): Promise<void>;

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

  /**
   * Returns a page of the visible events of a project that are expired by these cutoffs, in the order of the sort key. Following `next`
   * MUST find each event that is expired when the first page is asked for, unless it is relocated meanwhile.
   */
  expiredEvents(projectId: string, query: ExpiredQuery): Promise<ExpiredPage>;

  /** Returns the event; undefined when it does not exist in the project, or is deleted. */
  find(projectId: string, eventId: string, options?: QueryOptions): Promise<Event | undefined>;

  /** As `find`, with what {@link derivedOf} returns for the event. */
  findWithDerived(
    projectId: string,
    eventId: string,
    options?: QueryOptions,
  ): Promise<EventWithDerived | undefined>;

  /**
   * Returns a page of matching events.
   * @throws AppError `VALIDATION_ERROR` for a query that exceeds the engine's limits, `OVERLOADED` when too many
   * queries of the project wait (so do the other queries of clients)
   */
  search(projectId: string, query: EventQuery, options?: PageOptions): Promise<EventPage>;

  /**
   * As `search`, for a page of any size. Returns all of its events, those of a large page as `parts`; or none of them if they
   * take more than a few megabytes together: then {@link continuePage} reads them. After the first part, events that were
   * moved since the page was found are among them, and those that were deleted are absent.
   */
  startPage(projectId: string, query: EventQuery, options?: StartOptions): Promise<PageStart>;

  /**
   * Returns the first of these events, as many as fit into a few megabytes, but at least one of them is read. Those that
   * were deleted meanwhile are absent, in both parts.
   * @throws AppError as `search`
   */
  continuePage(projectId: string, unread: readonly UnreadEvent[], options?: PartOptions): Promise<PagePart>;

  /**
   * Returns all events of a session, in any order, none when there is no such session; undefined when they are more
   * than `limit`.
   * @throws AppError as `search`
   */
  session(
    projectId: string,
    sessionId: string,
    limit: number,
    options?: QueryOptions,
  ): Promise<WholeSession | undefined>;

  /** Returns the roll-ups of the sessions among these events, and the children of all of them. */
  derivedOf(projectId: string, events: readonly Event[], options?: QueryOptions): Promise<DerivedValues>;

  /**
   * Returns the child events of these, in the same sessions, in any order; for a parent with more than 1,000
   * children the first ones by start, then by id.
   */
  childrenOf(
    projectId: string,
    parents: readonly Pick<Event, 'event_id' | 'session_id'>[],
    options?: QueryOptions,
  ): Promise<readonly TreePlace[]>;

  /** Returns the tree positions of these events in any session; unknown ones are absent. */
  treePlacesOf(
    projectId: string,
    eventIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly TreePlace[]>;

  /** Returns roll-ups by session id; a session without events is absent. */
  rollups(
    projectId: string,
    sessionIds: readonly string[],
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionRollup>>;

  /**
   * Returns every session that has, or had, a row of these events, keyed by `projectId/eventId`: also one that
   * an event was moved out of or deleted from. Events without a row are absent.
   */
  sessionsOfEvents(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly string[]>>;

  /**
   * Returns summaries of sessions, keyed by `projectId/sessionId`; `eventId` of a key is the id of the session.
   * A session that never had a row is absent. With `query`, a client asks, about sessions of one project.
   */
  sessionSummaries(
    keys: readonly EventKey[],
    query?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionSummary>>;

  /**
   * Returns the metrics of the events of sessions, the sessions' own included, keyed by `projectId/sessionId`; `eventId`
   * of a key is the id of the session. Of a session the first 20,000 events with metrics, by id.
   */
  sessionMetrics(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly JsonObject[]>>;

  /**
   * Returns a page of the events that have, or had, a row in the session and are visible in no other: after the
   * session was deleted, the events that were deleted with it.
   */
  sessionMembers(
    session: EventKey,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<SessionMembers>;

  /**
   * Returns the sessions that have a row with a version in one of the ranges and at least `minRows` rows. Reads the
   * versions of all rows: for the start of a reader.
   */
  largeSessionsWritten(query: WrittenQuery): Promise<readonly EventKey[]>;

  /** Returns a page of sessions that have a row of their own. */
  listSessions(
    projectId: string,
    query: SessionQuery,
    options?: QueryOptions,
  ): Promise<readonly SessionPosition[]>;

  /** Resolves when the engine responds. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Inspects the engine for an operator: version, clock, and on a server rights and limits. @throws AppError `UNAVAILABLE` */
  inspect(): Promise<readonly Finding[]>;

  /** Queries of clients, of all projects. Reads counters only. */
  queryLoad(): QueryLoad;

  /** Cancels queries of clients, waits for running statements, then releases all resources. MUST be idempotent. */
  close(): Promise<void>;
}
