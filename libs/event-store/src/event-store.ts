import type { Event, EventPatch, TreePlace } from '@assay/domain';

/** Version of a row: position in the log, `epoch · 2^44 + offset`, below 2^53. The higher one wins. */
export type RowVersion = number;

/** One event to store: the bytes made by `encodeEventRow`, and its version. */
export interface EventRow {
  readonly bytes: Buffer;
  readonly version: RowVersion;
}

/** Where a row lies: its sort key, the fields as they were when the row was stored. */
export interface RowLocation {
  readonly projectId: string;
  readonly eventId: string;
  readonly sessionId: string;
  /** Unix milliseconds, as in the row. */
  readonly startTime: number;
}

/** ChangeFlagsByKey the row at this place as deleted, unless the row's version is higher. */
export interface Tombstone extends RowLocation {
  readonly version: RowVersion;
}

/** Part of a list of places: those of event ids behind `after` (absent: from the first), about `limit` of them. */
export interface LocationPage {
  /** Only those below one of these parents, at most 1,000; absent: all. */
  readonly parentIds?: readonly string[];
  readonly after?: string;
  readonly limit: number;
}

/** What updates and deletes have done to an event, by its id alone, whether or not the event itself has arrived. */
export interface EventChanges {
  readonly projectId: string;
  readonly eventId: string;
  /** All updates so far, merged into one. */
  readonly patch: EventPatch;
  /** Deleted events stay deleted: a later create has no effect. */
  readonly deleted: boolean;
  /** The id that this one gave way to, as a session or as a parent; absent when it did not. */
  readonly movedTo?: string;
  readonly version: RowVersion;
}

/** What changes say of an id that other events may name, as their session or their parent. */
export interface ChangeFlags {
  readonly deleted: boolean;
  readonly movedTo?: string;
}

/** What one batch of the log does to the store. */
export interface StoreBatch {
  readonly rows: readonly EventRow[];
  readonly tombstones: readonly Tombstone[];
  readonly changes: readonly EventChanges[];
  /** Names the batch: the same bytes written again under the same token have no effect. */
  readonly token: string;
}

/** Names one event. */
export interface EventKey {
  readonly projectId: string;
  readonly eventId: string;
}

/** Everything the store knows under one id. */
export interface EventState {
  readonly event?: Event & { readonly version: RowVersion };
  readonly changes?: EventChanges;
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
  /** 1 to 7,500. */
  readonly limit: number;
  /** Rows to pass over. */
  readonly offset: number;
  /** Newest `start_time` first, `event_id` as tie-break; false: any order. */
  readonly ordered: boolean;
}

export interface EventPage {
  readonly events: readonly Event[];
  /** Number of events that match, over all pages. */
  readonly total: number;
}

/**
 * What the visible events of a session add up to. Usage that several events report counts once, decided by their places in the tree (`countUsage` of the
 * domain); in a session of more than 20,000 events the model events alone count, whatever repeats them.
 */
export interface SessionRollup {
  /** Events other than the session itself. */
  readonly numEvents: number;
  readonly numModelEvents: number;
  readonly hasFeedback: boolean;
  /** USD, over model events. */
  readonly cost: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** Unix milliseconds over the session's events (not the session itself); absent when it has none. */
  readonly firstStart?: number;
  readonly lastEnd?: number;
}

/**
 * Where events are stored and found. Adapters: ClickHouse over HTTP, and chDB in the process.
 * Reads never show a deleted event nor two rows of one event, whatever was delivered twice, and never anything of another project.
 * A failure to reach the engine is an `AppError` `UNAVAILABLE`; a row that the engine refuses is `VALIDATION_ERROR`.
 */
export interface EventStore {
  /** Brings the tables up to date. Idempotent; two processes may run it at the same time. */
  migrate(): Promise<void>;

  /** Writes one batch; durable when it resolves. Writing a batch again, also under another token, changes nothing that a reader sees. */
  write(batch: StoreBatch): Promise<void>;

  /** The states of these events, keyed by `projectId/eventId`; one that is unknown is absent from the map. */
  states(keys: readonly EventKey[]): Promise<ReadonlyMap<string, EventState>>;

  /** The marks of those of these keys, as `projectId/eventId`, whose changes say that they are deleted or moved; cheaper than their states. */
  readChangeFlags(keys: readonly EventKey[]): Promise<ReadonlyMap<string, ChangeFlags>>;

  /**
   * Where the visible rows of these sessions (at most 1,000) lie, the sessions' own rows among them. The order is that of the event ids, as the engine
   * sorts them: the id of the last place is the `after` of the next page, and an empty page is the end.
   */
  rowLocations(
    projectId: string,
    sessionIds: readonly string[],
    page: LocationPage,
  ): Promise<readonly RowLocation[]>;

  /** Every `projectId/eventId` that has a row or changes, in pages; for building the filter of known ids at start. */
  knownKeys(onPage: (keys: readonly string[]) => void): Promise<void>;

  /** Undefined when the event does not exist in the project, or is deleted. */
  find(projectId: string, eventId: string): Promise<Event | undefined>;

  /** @throws AppError `VALIDATION_ERROR` for a query that the engine gives up on (too large, too long) */
  search(projectId: string, query: EventQuery): Promise<EventPage>;

  /** The events directly below these, in the sessions of these; of one with more than 1,000 children the first by start, then by id. In any order. */
  childrenOf(
    projectId: string,
    parents: readonly Pick<Event, 'event_id' | 'session_id'>[],
  ): Promise<readonly TreePlace[]>;

  /** Where these events stand, in whatever session; unknown ones are left out. */
  treePlacesOf(projectId: string, eventIds: readonly string[]): Promise<readonly TreePlace[]>;

  /** Roll-ups by session id; a session without events is absent. */
  rollups(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionRollup>>;

  /** Resolves when the engine answers. @throws AppError `UNAVAILABLE` */
  check(): Promise<void>;

  /** Waits for what is under way, then releases everything. Idempotent. */
  close(): Promise<void>;
}
