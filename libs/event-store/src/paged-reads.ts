import type { Bucket, Event, EventPosition, EventSort, Filter, NewestPosition } from '@assay/domain';
import type { QueryOptions, RowLocation, RowVersion } from './row-location.js';
import type { RunMembers } from './run-members.js';
import type { DayCount } from './session-summary.js';

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
  /** By the ids of sessions, when it was asked for; as {@link PagedReads.sessionPreviews} returns it. */
  readonly sessionPreviews?: ReadonlyMap<string, SessionPreview>;
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

/** One of the open objects of an event, as stored. */
export interface LocatedField {
  readonly field: Bucket;
  /** Length of its JSON text. */
  readonly bytes: number;
  /** Version of the row that holds it. Equal versions have equal bytes. */
  readonly version: RowVersion;
  /** Where the row is. */
  readonly location: RowLocation;
}

/** Bytes of a field. */
export interface FieldRange {
  readonly from: number;
  readonly length: number;
}

/** The values of one field of matching events. */
export interface FieldValuesQuery {
  /** A field, or a path into an object. */
  readonly field: string;
  /** Beginning of the value as text; upper and lower case are equal. */
  readonly prefix?: string;
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** At most 100. */
  readonly limit: number;
}

/** Longest value that is listed, in characters. */
export const MAX_VALUE_CHARS = 256;

/** A value of a field; booleans are the texts `true` and `false`. */
export interface FieldValue {
  readonly value: string | number;
  /** Events that have it. */
  readonly count: number;
}

export interface FieldValues {
  /** The most frequent first, then by text. */
  readonly values: readonly FieldValue[];
  /** Whether events were left out: all but about 200,000 newest ones, or those whose value is not indexed. */
  readonly isPartial: boolean;
}

/** What a project used on one day (UTC). */
export interface UsageDay extends DayCount {
  /** Sessions that have an event of their own and started on the day. */
  readonly sessions: number;
}

/** Reads of bounded size, for clients that show events: pages without payloads, and single payload fields. */
export interface PagedReads {
  /**
   * Returns what a project used on each day from `first` to `last` (such as `2026-11-22`), oldest first; days without
   * events and sessions are absent.
   */
  usageByDay(
    projectId: string,
    days: { readonly first: string; readonly last: string },
    options?: QueryOptions,
  ): Promise<readonly UsageDay[]>;

  /**
   * Returns a page of matching events. Rows that are written, moved or deleted between two pages shift no other row.
   * @throws AppError as `search`
   */
  eventRows(projectId: string, query: EventRowsQuery, options?: QueryOptions): Promise<EventRowsPage>;

  /** Returns the rows of these sessions, at most 10,000, without their payloads; those without a row are absent. */
  sessionRows(
    projectId: string,
    sessionIds: readonly string[],
    options?: QueryOptions,
  ): Promise<readonly Event[]>;

  /** Returns the most frequent values of a field. @throws AppError as `search` */
  fieldValues(projectId: string, query: FieldValuesQuery, options?: QueryOptions): Promise<FieldValues>;

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

  /** Returns where the rows of a session are, deleted ones included; undefined when it never had one. */
  sessionBounds(
    projectId: string,
    sessionId: string,
    options?: QueryOptions,
  ): Promise<SessionBounds | undefined>;

  /**
   * Returns what sessions, at most 500, began with, by their ids. The root event of a session is the first one by start, then by id, among
   * those directly below it, or else among all. Sessions that began with nothing are absent.
   * @param chars maximum of a preview
   */
  sessionPreviews(
    projectId: string,
    sessions: readonly PreviewedSession[],
    chars: number,
    options?: QueryOptions,
  ): Promise<ReadonlyMap<string, SessionPreview>>;

  /** Returns a page of the events of a session, of those within its bounds. @throws AppError as `search` */
  sessionTree(projectId: string, query: SessionTreeQuery, options?: QueryOptions): Promise<SessionTreePage>;
}
