import type { EventKey } from './event-state.js';
import type { QueryOptions } from './row-location.js';
import type { SessionPosition, SessionQuery } from './session-pages.js';
import type { SessionSummary } from './session-summary.js';
import type { Event, JsonObject, TreePlace } from '@assay/domain';

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

/** Where the rows of a session are, and what changes with each of them. */
export interface SessionBounds {
  /** Differs after every change of the session's events. */
  readonly watermark: string;
  /** First and last start hour, Unix seconds. */
  readonly firstHour: number;
  readonly lastHour: number;
}

/** A page of the events of a session, by start, then by id; the session itself is not among them. */
export interface SessionTreeQuery {
  readonly sessionId: string;
  readonly bounds: SessionBounds;
  /** The last event of the page before. */
  readonly after?: { readonly startTime: number; readonly eventId: string };
  /** 1 to 20,000. */
  readonly limit: number;
}

/** An event of a session, reduced to what a tree shows. Texts have at most 200 characters. */
export interface SessionTreeRow {
  readonly eventId: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly startTime: number;
  /** Milliseconds. */
  readonly duration: number | null;
  readonly error: string | null;
  /** What the instrumentation calls it: `metadata.span_kind`, else `metadata.operation_name`; empty without one. */
  readonly kind: string;
  /** `config.model`, as far as it is indexed; empty without one. */
  readonly model: string;
  /** `metadata.total_tokens`. */
  readonly tokens: number | null;
  /** `metadata.cost`, USD. */
  readonly cost: number | null;
  /** Numbers and booleans among the metrics; none when their JSON text is longer than 2 KiB. */
  readonly scores: Readonly<Record<string, number | boolean>>;
}

/** A session whose beginning is shown. */
export interface PreviewedSession {
  readonly sessionId: string;
  /** Its start, Unix milliseconds; events are looked for from this hour until the end of the next one. */
  readonly startTime: number;
}

/** What a session began with. */
export interface SessionPreview {
  /** The event that was read: the session itself if it has inputs or outputs, else its root event. */
  readonly eventId: string;
  /** Beginnings of the stored JSON texts. */
  readonly inputs: string;
  readonly outputs: string;
}

export interface SessionTreePage {
  readonly rows: readonly SessionTreeRow[];
  readonly hasMore: boolean;
  /** The row of the session itself, without its payload; absent while it has none. */
  readonly session?: Event;
}

/** Sessions, their trees, and what the events of one add up to. */
export interface SessionsPort {
  /**
   * Returns all events of a session, in any order, none when there is no such session; undefined when they are more
   * than `limit`.
   * @throws AppError as `EventsPort.search`
   */
  read(
    projectId: string,
    sessionId: string,
    limit: number,
    options?: QueryOptions,
  ): Promise<WholeSession | undefined>;

  /** Returns roll-ups by session id; a session without events is absent. */
  rollups(
    projectId: string,
    sessionIds: readonly string[],
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionRollup>>;

  /**
   * Returns summaries of sessions, keyed by `projectId/sessionId`; `eventId` of a key is the id of the session.
   * A session that never had a row is absent. With `query`, a client asks, about sessions of one project.
   */
  summaries(keys: readonly EventKey[], query?: QueryOptions): Promise<ReadonlyMap<string, SessionSummary>>;

  /**
   * Returns the metrics of the events of sessions, the sessions' own included, keyed by `projectId/sessionId`; `eventId`
   * of a key is the id of the session. Of a session the first 20,000 events with metrics, by id.
   */
  metrics(keys: readonly EventKey[]): Promise<ReadonlyMap<string, readonly JsonObject[]>>;

  /** Returns a page of sessions that have a row of their own. */
  list(projectId: string, query: SessionQuery, options?: QueryOptions): Promise<readonly SessionPosition[]>;

  /** Returns the rows of these sessions, at most 10,000, without their payloads; those without a row are absent. */
  rows(projectId: string, sessionIds: readonly string[], options?: QueryOptions): Promise<readonly Event[]>;

  /** Returns where the rows of a session are, deleted ones included; undefined when it never had one. */
  bounds(projectId: string, sessionId: string, options?: QueryOptions): Promise<SessionBounds | undefined>;

  /**
   * Returns what sessions, at most 500, began with, by their ids. The root event of a session is the first one by start, then by id, among
   * those directly below it, or else among all. Sessions that began with nothing are absent.
   * @param chars maximum of a preview
   */
  previews(
    projectId: string,
    sessions: readonly PreviewedSession[],
    chars: number,
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionPreview>>;

  /** Returns a page of the events of a session, of those within its bounds. @throws AppError as `EventsPort.search` */
  tree(projectId: string, query: SessionTreeQuery, options?: QueryOptions): Promise<SessionTreePage>;

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
}
