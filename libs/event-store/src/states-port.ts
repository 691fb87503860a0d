import type { ChangeFlags, EventKey, EventState, StateKey } from './event-state.js';
import type { ExpiredPage, ExpiredQuery } from './expired-events.js';
import type { QueryOptions, RowLocation } from './row-location.js';
import type { SessionMembers, WrittenQuery } from './session-pages.js';
import type { EvaluationRow } from './writer-port.js';
import type { Evaluation } from '@assay/domain';

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

/** Which evaluations that wait to read. */
export interface PendingQuery {
  /** Partitions of the log. */
  readonly partitions: readonly number[];
  /** Of one project, so that one with many does not hide the others. */
  readonly perProject: number;
  readonly limit: number;
}

/** Which ids of events are read; absent: all. */
export interface WantedIds {
  /** Unix seconds: those whose row was stored from then on, and all with changes. */
  readonly since?: number | undefined;
  /** Keys that are there at most; an event has several, one for each of its locations. */
  readonly atMost?: number | undefined;
}

/** What is stored of events, for the readers of the log that change, evaluate or forward them. */
export interface StatesPort {
  /**
   * Returns the states of these events, keyed by `projectId/eventId`; unknown events are absent. With `query`, a
   * client asks, about events of one project.
   */
  read(keys: readonly StateKey[], query?: QueryOptions): Promise<ReadonlyMap<string, EventState>>;

  /**
   * Returns about how many bytes the stored states of these events take, keyed by `projectId/eventId`, without the
   * payloads that a key leaves out; unknown events are absent. MUST NOT read the states themselves.
   */
  sizes(keys: readonly StateKey[]): Promise<ReadonlyMap<string, number>>;

  /**
   * Returns the flags of those keys that were deleted or moved, keyed by `projectId/eventId`. MUST be cheaper
   * than `read`. With `query`, a client asks, as there.
   */
  changeFlags(keys: readonly EventKey[], query?: QueryOptions): Promise<ReadonlyMap<string, ChangeFlags>>;

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
   * Streams the ids of all events that have a row or changes, in pages, to build the filter of event ids. An id can come several
   * times. Resolves with false, without a page, when there are more than wanted.
   */
  knownIds(onPage: (eventIds: readonly string[]) => void, wanted?: WantedIds): Promise<boolean>;

  /**
   * Returns every session that has, or had, a row of these events, keyed by `projectId/eventId`: also one that
   * an event was moved out of or deleted from. Events without a row are absent.
   */
  sessionsOfEvents(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly string[]>>;

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

  /**
   * Returns the evaluations of events, keyed by `projectId/eventId`; events without one are absent. With options, a
   * client asks, about events of one project. To decide, their explanations are empty, and of one event the 1,000 newest suffice.
   */
  evaluations(
    keys: readonly EventKey[],
    query?: QueryOptions | 'toDecide',
  ): Promise<ReadonlyMap<string, readonly Evaluation[]>>;

  /** Returns evaluations that wait, oldest decision first. */
  pendingEvaluations(query: PendingQuery): Promise<readonly EvaluationRow[]>;

  /**
   * Returns a page of the visible events of a project that are expired by these cutoffs, in the order of the sort key. Following `next`
   * MUST find each event that is expired when the first page is asked for, unless it is relocated meanwhile.
   */
  expiredEvents(projectId: string, query: ExpiredQuery): Promise<ExpiredPage>;
}
