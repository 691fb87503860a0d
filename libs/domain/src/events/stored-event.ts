import { parseStoredJson } from '../exact-json.js';
import type { JsonObject } from '../json.js';
import type { Event } from './event.js';
import { EVENT_SHAPE, type Bucket } from './event-shape.js';

/** An event whose open objects are the JSON texts under which they are stored. The text of an empty object may be empty. */
export type StoredEvent = Omit<Event, Bucket> & Readonly<Record<Bucket, string>>;

/** Returns the event of the texts. */
export function parseStoredEvent(stored: StoredEvent): Event {
  const event: Record<string, unknown> = { ...stored };
  for (const bucket of EVENT_SHAPE.buckets) event[bucket] = parseObjectText(stored[bucket]);
  return event as Event;
}

/** Returns the object of a stored text. */
export function parseObjectText(text: string): JsonObject {
  // Many objects are empty, and a call of the parser costs more than this comparison.
  return text === '{}' || text === '' ? {} : (parseStoredJson(text) as JsonObject);
}

/**
 * Returns what `JSON.stringify` writes of the object of a stored text. That is the text itself, because it was written in this
 * way, except for integers that are stored with an exponent, and keys that became equal when a character was replaced by U+FFFD.
 */
export function writtenObjectText(text: string): string {
  if (text === '') return '{}';
  // A single character is found several times faster than two.
  const isSame = !(text.includes('+') && text.includes('e+')) && !text.includes('\ufffd');
  return isSame ? text : JSON.stringify(parseStoredJson(text));
}
