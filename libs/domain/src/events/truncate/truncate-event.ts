import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { Bucket } from '../event-shape.js';
import { BUCKETS, type Event, type EventPatch } from '../event.js';
import { LOG_CONTENT } from '../merge/stored-log-content.js';
import { MAX_EVENT_BYTES } from '../accept/clean-text.js';
import { jsonBytes, surelyFits } from './json-bytes.js';
import {
  largeMembers,
  longTexts,
  truncatedValue,
  withReplacements,
  type HeldValue,
} from './truncate-values.js';

/** Key of the metadata of an event: number of its values that were replaced. */
export const TRUNCATED_VALUES = 'truncated_values';

/** Metadata by which an event is found and joined; of the protocol's facts, their members can be replaced. */
const KEPT_METADATA = new Set(['otel', 'trace_id', 'span_id', LOG_CONTENT, TRUNCATED_VALUES]);
const NONE: ReadonlySet<string> = new Set();
/** Fields that are texts: the object that stands for a long one is stored as text. */
const TEXTS = ['event_name', 'source', 'error', 'parent_id'] as const;

/** An event or an update: any of the fields of an event. */
type Fields = Partial<Event>;

/**
 * Returns the event with its largest values replaced by `{"assay_truncated": {bytes, sha256, preview}}` until its JSON has at
 * most 10 MB: the longest texts first, then the largest members of its objects, then whole objects. The event itself if
 * it fits. Its metadata count the values.
 */
export function truncateEvent(event: Event, maxBytes = MAX_EVENT_BYTES): Event {
  const { fields, replaced } = truncate(event, maxBytes);
  if (replaced === 0) return event;
  const { [TRUNCATED_VALUES]: sent, ...metadata } = fields.metadata;
  if (sent !== undefined) metadata[`attributes.${TRUNCATED_VALUES}`] = sent;
  return { ...fields, metadata: { ...metadata, [TRUNCATED_VALUES]: replaced } };
}

/** Returns the update with its largest values replaced as those of events are; the update itself if it fits. */
export function truncatePatch(patch: EventPatch, maxBytes = MAX_EVENT_BYTES): EventPatch {
  return truncate(patch, maxBytes).fields;
}

function truncate<F extends Fields>(
  whole: F,
  maxBytes: number,
): { readonly fields: F; readonly replaced: number } {
  if (surelyFits(asJson(whole), maxBytes)) return { fields: whole, replaced: 0 };
  const room: Room = { left: maxBytes - jsonBytes(asJson(whole)) - COUNT_BYTES, replaced: 0 };
  let fields = whole;
  for (const step of STEPS) if (room.left < 0) fields = step(fields, room);
  return { fields, replaced: room.replaced };
}

function asJson(fields: Fields): JsonObject {
  return fields;
}

const COUNT_BYTES = 64;

interface Room {
  /** Bytes that are left; negative while the event is too large. */
  left: number;
  replaced: number;
}

const STEPS = [replaceTexts, replaceMembers, replaceBuckets] as const;

function bucketsOf(fields: Fields): (readonly [bucket: Bucket, content: JsonObject])[] {
  return BUCKETS.flatMap((bucket) => {
    const content = fields[bucket];
    return content === undefined ? [] : [[bucket, content] as const];
  });
}

function replaceTexts<F extends Fields>(fields: F, room: Room): F {
  const found: HeldValue[] = TEXTS.flatMap((key) => [
    ...longTexts(fields[key] ?? null, { holder: fields, key }),
  ]);
  for (const [, content] of bucketsOf(fields))
    for (const key of Object.keys(content))
      if (key !== LOG_CONTENT) found.push(...longTexts(content[key] as JsonValue, { holder: content, key }));
  // The texts of the log content itself are the keys of its pieces.
  const logContent = fields.metadata?.[LOG_CONTENT];
  if (isJsonObject(logContent) && isJsonObject(logContent['hidden']))
    found.push(...longTexts(logContent['hidden'], { holder: logContent, key: 'hidden' }));
  return replaceLargest(fields, found, room);
}

function replaceMembers<F extends Fields>(fields: F, room: Room): F {
  const found = bucketsOf(fields).flatMap(([bucket, content]) =>
    largeMembers(content, bucket === 'metadata' ? KEPT_METADATA : NONE),
  );
  const otel = fields.metadata?.['otel'];
  if (isJsonObject(otel)) found.push(...largeMembers(otel, NONE));
  return replaceLargest(fields, found, room);
}

/** Many small members take the remaining bytes: the largest objects are replaced as a whole. */
function replaceBuckets<F extends Fields>(fields: F, room: Room): F {
  let fitting = fields;
  const sizes = bucketsOf(fields).map(([bucket, content]) => ({
    bucket,
    content,
    bytes: jsonBytes(content),
  }));
  for (const { bucket, content, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (room.left >= 0) break;
    const rest = { ...(bucket === 'metadata' ? keptOf(content) : {}), ...truncatedValue(content) };
    room.left += bytes - jsonBytes(rest);
    room.replaced++;
    fitting = { ...fitting, [bucket]: rest };
  }
  return fitting;
}

function keptOf(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => KEPT_METADATA.has(key)));
}

function replaceLargest<F extends Fields>(fields: F, found: readonly HeldValue[], room: Room): F {
  const replacements = new Map<object, Map<string, JsonValue>>();
  for (const { holder, key, bytes, value } of [...found].sort((a, b) => b.bytes - a.bytes)) {
    if (room.left >= 0) break;
    const marker = truncatedValue(value);
    const replacement = holder === fields ? JSON.stringify(marker) : marker;
    const ofHolder = replacements.get(holder) ?? new Map<string, JsonValue>();
    replacements.set(holder, ofHolder.set(key, replacement));
    room.left += bytes - jsonBytes(replacement);
    room.replaced++;
  }
  return withReplacements(asJson(fields), replacements) as F;
}
