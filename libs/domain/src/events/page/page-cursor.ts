import type { JsonValue } from '../../json.js';
import { cursorError, readCursor, writeCursor } from '../../paging/cursor.js';
import { isUuid } from '../identity/uuid-text.js';
import type { EventSort } from './event-sort.js';

/** Position of an event in a sorted list: the number that it is sorted by (null: it has none), and its id. */
export interface EventPosition {
  readonly value: number | null;
  readonly eventId: string;
}

/** The newest start of a list, and the ids that start then: what came after it is new. */
export interface NewestPosition {
  /** Unix milliseconds. */
  readonly startTime: number;
  /** At most {@link MAX_NEWEST_IDS}. */
  readonly eventIds: readonly string[];
}

/** Ids in a {@link NewestPosition}. More events that start at the same time are returned again. */
export const MAX_NEWEST_IDS = 50;

const NEWEST_KIND = 'newest-events';

/** Returns the cursor that continues a list after this position. */
export function writeEventCursor(sort: EventSort, { value, eventId }: EventPosition): string {
  return writeCursor(kindOf(sort), [value, eventId]);
}

/** @throws AppError `VALIDATION_ERROR` for text that {@link writeEventCursor} did not write for this order */
export function readEventCursor(sort: EventSort, text: string): EventPosition {
  const [value, eventId, ...rest] = readCursor(kindOf(sort), text);
  const isPosition = value === null || isFiniteNumber(value);
  if (!isPosition || !isId(eventId) || rest.length > 0) throw cursorError();
  return { value, eventId };
}

/** Returns the cursor after which events are new. */
export function writeNewestCursor({ startTime, eventIds }: NewestPosition): string {
  return writeCursor(NEWEST_KIND, [startTime, ...eventIds.slice(0, MAX_NEWEST_IDS)]);
}

/** @throws AppError `VALIDATION_ERROR` for text that {@link writeNewestCursor} did not write */
export function readNewestCursor(text: string): NewestPosition {
  const [startTime, ...eventIds] = readCursor(NEWEST_KIND, text, 'after');
  if (!isFiniteNumber(startTime) || eventIds.length > MAX_NEWEST_IDS || !eventIds.every(isId))
    throw cursorError('after');
  return { startTime, eventIds };
}

/**
 * Returns the newest position after a page was read: of its events that start no later than `now`, because one
 * with a clock that is ahead would hide all later ones; without such an event the position before.
 */
export function newestPosition(
  page: readonly { readonly event_id: string; readonly start_time: number }[],
  before: NewestPosition | undefined,
  now: number,
): NewestPosition {
  const known = before ?? { startTime: 0, eventIds: [] };
  const started = page.filter((event) => event.start_time <= now && event.start_time >= known.startTime);
  const startTime = started.reduce((newest, event) => Math.max(newest, event.start_time), known.startTime);
  const ids = started.filter((event) => event.start_time === startTime).map((event) => event.event_id);
  const kept = startTime === known.startTime ? known.eventIds : [];
  return { startTime, eventIds: [...new Set([...ids, ...kept])].slice(0, MAX_NEWEST_IDS) };
}

function kindOf({ field, order }: EventSort): string {
  return `events ${order} ${field}`;
}

function isFiniteNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && isUuid(value);
}
