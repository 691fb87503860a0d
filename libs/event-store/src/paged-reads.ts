import type { Event, EventPosition, EventSort, Filter, NewestPosition } from '@assay/domain';
import type { QueryOptions } from './event-store.js';

/** A page of events without their payloads: by one number, then by id, after a position. */
export interface EventRowsQuery {
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from?: number;
  readonly to?: number;
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
}

/** Reads of bounded size, for clients that show events: pages without payloads, and single payload fields. */
export interface PagedReads {
  /**
   * Returns a page of matching events. Rows that are written, moved or deleted between two pages shift no other row.
   * @throws AppError as `search`
   */
  eventRows(projectId: string, query: EventRowsQuery, options?: QueryOptions): Promise<EventRowsPage>;
}
