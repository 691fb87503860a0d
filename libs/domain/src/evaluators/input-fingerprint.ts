import { createHash } from 'node:crypto';
import type { Event } from '../events/event.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { readAnnotatorKey } from '../resources/annotator.js';

const LENGTH = 32;

/**
 * Identifies the part of an event whose change leads to another evaluation: outputs and feedback, which contains the
 * ground truth. The order of keys does not matter. Scores are not part of it, nor are those of annotators in the
 * feedback (`tone@anna`), so that writing them leads to none.
 */
export function inputFingerprint({ outputs, feedback }: Pick<Event, 'outputs' | 'feedback'>): string {
  return fingerprintOf([outputs, withoutAnnotations(feedback)]);
}

function withoutAnnotations(feedback: JsonObject): JsonObject {
  const keys = Object.keys(feedback);
  if (!keys.some(readAnnotatorKey)) return feedback;
  return Object.fromEntries(
    keys.flatMap((key) => (readAnnotatorKey(key) ? [] : [[key, feedback[key] ?? null]])),
  );
}

/** Returns the first 32 hexadecimal digits of a SHA-256 of a value, whatever the order of its keys is. */
export function fingerprintOf(value: JsonValue): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, LENGTH);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key] ?? null)]);
}
