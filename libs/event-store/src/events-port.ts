import type { QueryOptions, RowLocation, RowVersion } from './row-location.js';
import type { RunMembers } from './run-members.js';
import type { SessionPreview, SessionRollup } from './sessions-port.js';
import type {
  Bucket,
  Event,
  EventPosition,
  EventSort,
  Filter,
  NewestPosition,
  StoredEvent,
  TreePlace,
} from '@assay/domain';

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
  /** Whether to read what {@link EventsPort.derivedOf} returns for the events, too. */
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

/** Which events to list by the time at which they were stored. */
export interface StoredQuery {
  /** Unix seconds; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  /** The last event of the page before. */
  readonly after?: UnreadEvent;
  readonly limit: number;
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
   * All events of a large page, instead of `events`, with their open objects as stored. They were read in one turn of the
   * project, and are made when they are asked for, so that a slow reader occupies no turn.
   */
  readonly parts?: Iterable<StoredEvents>;
}

/** What is derived for events from others. */
export interface DerivedValues {
  /** Roll-ups by session id; a session without events is absent. */
  readonly rollups: ReadonlyMap<string, SessionRollup>;
  /** Children, as {@link SessionsPort.childrenOf}. */
  readonly children: readonly TreePlace[];
  /** Events that these name as their children, as {@link SessionsPort.treePlacesOf}; absent unless they were read, too. */
  readonly named?: readonly TreePlace[];
}

/** An event with what is derived for it. */
export interface EventWithDerived {
  readonly event: Event;
  readonly derived: DerivedValues;
}

/** A page of events without their payloads: by one number, then by id, after a position. */
export interface EventRowsQuery {
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** Only events of these runs. */
  readonly runs?: RunMembers;
  readonly sort: EventSort;
  /** The last position of the page before. */
  readonly after?: EventPosition;
  /** Only events that started since, without the named ones. */
  readonly since?: NewestPosition;
  /** 1 to 500. */
  readonly limit: number;
  /** Characters of inputs, outputs and `payloadPaths` to return; 0: none, and payloads are not read. */
  readonly previewChars: number;
  /** Paths into inputs, outputs and config whose values to return as text; at most 50. */
  readonly payloadPaths: readonly string[];
  /** Whether to return what the sessions of the page began with. */
  readonly withSessionPreviews?: boolean;
  /** Whether to return what the events of the sessions of the page add up to. */
  readonly withSessionRollups?: boolean;
  /** `bounded` stops counting at {@link MAX_BOUNDED_COUNT}. */
  readonly count: 'exact' | 'bounded' | 'none';
}

/** Events that a bounded count counts at most. */
export const MAX_BOUNDED_COUNT = 10_000;

/** The beginning of a payload, as text. */
export interface PayloadPreview {
  /** Beginning of the stored JSON text. */
  readonly inputs: string;
  readonly outputs: string;
  /** Beginning of the values at the requested paths: a string itself, anything else as JSON; null when absent. */
  readonly values: readonly (string | null)[];
}

/** An event without inputs, outputs and config, which are empty objects. */
export interface EventRowRead {
  readonly event: Event;
  readonly position: EventPosition;
  /** Bytes of inputs, outputs and config as stored. */
  readonly payloadBytes: number;
  readonly preview?: PayloadPreview;
}

export interface EventRowsPage {
  readonly rows: readonly EventRowRead[];
  /** Whether more rows follow. */
  readonly hasMore: boolean;
  /** Number of events that match, over all pages; absent when it was not asked for. A lower bound unless exact. */
  readonly count?: { readonly value: number; readonly exact: boolean };
  /** By the ids of sessions, when it was asked for; as {@link SessionsPort.previews} returns it. */
  readonly sessionPreviews?: ReadonlyMap<string, SessionPreview>;
  /** By the ids of sessions, when it was asked for; as {@link SessionsPort.rollups} returns it. */
  readonly rollups?: ReadonlyMap<string, SessionRollup>;
}

/** One of the open objects of an event, as stored. */
export interface LocatedField {
  readonly field: Bucket;
  /** Length of its JSON text. */
  readonly bytes: number;
  /** Version of the row that holds it. Equal versions have equal bytes. */
  readonly version: RowVersion;
  /** Where the row is. */
  readonly location: RowLocation;
  /** What it consists of, where texts of it are stored as media. */
  readonly pieces?: readonly FieldPiece[];
  /** All of its bytes, where it is short: then {@link EventsPort.fieldBytes} need not be called. */
  readonly whole?: Buffer;
}

export interface FindOptions extends QueryOptions {
  /** Whether texts that are stored as media are objects with `media`, the address of the content, `type` and `bytes`. */
  readonly mediaLinks?: boolean;
}

/** A piece of a field as stored, or media whose base64 text stands there. */
export type FieldPiece = { readonly text: Buffer } | { readonly hash: string; readonly bytes: number };

/** Content that was sent as a base64 text of an event and is stored once. */
export interface StoredMedia {
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly hash: string;
  /** Media type that a data URL had; empty without one. It is what a client sent, so check it before it is used. */
  readonly type: string;
  readonly bytes: number;
}

/** Bytes of a field. */
export interface FieldRange {
  readonly from: number;
  readonly length: number;
}

/** Finds events and returns them, whole or a page without their payloads. A failure of the other reads of clients is one of those of `search`. */
export interface EventsPort {
  /** Returns the event; undefined when it does not exist in the project, or is deleted. */
  find(projectId: string, eventId: string, options?: QueryOptions): Promise<Event | undefined>;

  /** As `find`, with what {@link derivedOf} returns for the event. */
  findWithDerived(
    projectId: string,
    eventId: string,
    options?: FindOptions,
  ): Promise<EventWithDerived | undefined>;

  /**
   * Returns a page of matching events.
   * @throws AppError `VALIDATION_ERROR` for a query that exceeds the engine's limits, `OVERLOADED` when too many
   * queries of the project wait (so do the other queries of clients)
   */
  search(projectId: string, query: EventQuery, options?: PageOptions): Promise<EventPage>;

  /**
   * As `search`, for a page of any size. Returns all of its events, those of a large page as `parts`; or none of them if they
   * take more than a few megabytes together: then {@link continuePage} reads them.
   */
  startPage(projectId: string, query: EventQuery, options?: StartOptions): Promise<PageStart>;

  /**
   * Returns the first of these events, as many as fit into a few megabytes, but at least one of them is read. Those that
   * were deleted meanwhile are absent, in both parts.
   * @throws AppError as `search`
   */
  continuePage(projectId: string, unread: readonly UnreadEvent[], options?: PartOptions): Promise<PagePart>;

  /**
   * Returns a page of matching events. Rows that are written, moved or deleted between two pages shift no other row.
   * @throws AppError as `search`
   */
  rows(projectId: string, query: EventRowsQuery, options?: QueryOptions): Promise<EventRowsPage>;

  /** Returns where one of the open objects of an event is stored; undefined as `find`. */
  locateField(
    projectId: string,
    eventId: string,
    field: Bucket,
    options?: QueryOptions,
  ): Promise<LocatedField | undefined>;

  /**
   * Returns bytes of a located field.
   * @throws AppError `CONFLICT` when the event has changed since
   */
  fieldBytes(
    projectId: string,
    field: LocatedField,
    range: FieldRange,
    options?: QueryOptions,
  ): Promise<Buffer>;

  /** Returns the type and size of media of a project by their hash; undefined when it has none of it. */
  media(projectId: string, hash: string, options?: QueryOptions): Promise<StoredMedia | undefined>;

  /** Returns bytes of the content of such media. */
  mediaBytes(projectId: string, hash: string, range: FieldRange, options?: QueryOptions): Promise<Buffer>;

  /** Returns the roll-ups of the sessions among these events, and the children of all of them. */
  derivedOf(projectId: string, events: readonly Event[], options?: QueryOptions): Promise<DerivedValues>;

  /**
   * Returns a page of the events of a project that were stored, changed or relocated in a range of time, in the order of the sort key; fewer
   * than `limit` are the last page. An event that was deleted in the range is absent; one that was deleted or relocated later may be there.
   * @throws AppError as `search`
   */
  storedEvents(
    projectId: string,
    query: StoredQuery,
    options?: QueryOptions,
  ): Promise<readonly UnreadEvent[]>;
}
