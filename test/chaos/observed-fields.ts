import { createHash } from 'node:crypto';
import { isJsonObject, MERGED_BUCKETS, type JsonValue } from '@assay/domain';

/**
 * The fields of an event as a client sent or read them. Keys of the objects that updates merge are separate fields, such as
 * `metadata.a`; every other field is one value. Values are JSON text with sorted keys, or its hash when that is shorter.
 */
export type Fields = ReadonlyMap<string, string>;

const HASHED_FROM = 64;

/** Reads fields off an event, or off the body of a request. Fields that are undefined do not count. */
export function fieldsOf(body: object): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(body) as [string, JsonValue | undefined][]) {
    if (value === undefined) continue;
    if (!isMerged(name) || !isJsonObject(value)) fields.set(name, textOf(value));
    else for (const [key, inner] of Object.entries(value)) fields.set(`${name}.${key}`, textOf(inner));
  }
  return fields;
}

/** Whether the field is a key of a merged object, which only a client sets. */
export function isUserKey(field: string): boolean {
  return isMerged(field.slice(0, Math.max(0, field.indexOf('.'))));
}

function isMerged(name: string): boolean {
  return MERGED_BUCKETS.some((bucket) => bucket === name);
}

function textOf(value: JsonValue): string {
  const text = JSON.stringify(sorted(value));
  return text.length < HASHED_FROM ? text : createHash('sha256').update(text).digest('hex');
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
