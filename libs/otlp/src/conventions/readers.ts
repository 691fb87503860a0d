import { isJsonObject, isUuid, type JsonValue } from '@assay/domain';
import { parseJson, parsed } from '../json/parse-json.js';
import type { Reader } from './rule.js';

/** A non-blank string; a number or boolean as text. */
export function asText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * A string as instrumentations quote it: trimmed, without one pair of JSON quotes; undefined for placeholders
 * of an absent value.
 */
export function asKey(value: JsonValue): string | undefined {
  const trimmed = asText(value)?.trim();
  if (trimmed === undefined) return undefined;
  const quoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const text = quoted ? trimmed.slice(1, -1).trim() : trimmed;
  return NOTHING.has(text) ? undefined : text;
}

/** Evidence of a step, if the value is a text. */
export const asFirm: Reader = (value) => (asText(value) === undefined ? undefined : 'firm');

const NOTHING = new Set(['', 'null', 'None', 'undefined', 'N/A', '<not specified>']);

/** Like {@link asText}; a placeholder of an absent value is dropped. */
export function asPresentText(value: JsonValue): JsonValue | undefined {
  return typeof value === 'string' && NOTHING.has(value.trim()) ? null : asText(value);
}

/** A finite number, also from its text. */
export function asNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A count: a non-negative integer of at most 2^53 - 1, also from its text or as a double. */
export function asCount(value: JsonValue): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && Number.isSafeInteger(number) ? number : undefined;
}

/** Seconds as milliseconds, if these are a number. */
export function asMilliseconds(value: JsonValue): number | undefined {
  const seconds = asNumber(value);
  const ms = (seconds ?? NaN) * 1000;
  return Number.isFinite(ms) ? ms : undefined;
}

export function asBoolean(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** The value, or the parsed JSON text of an object or array. */
export const asParsed: Reader = parsed;

/** A value that a library writes as JSON text, whatever its type; other text is unchanged. Text that was encoded twice is decoded twice. */
export const asJson: Reader = (value) => {
  if (typeof value !== 'string') return value;
  const decoded = parseJson(value);
  return decoded === undefined ? value : typeof decoded === 'string' ? parsed(decoded) : decoded;
};

/** A text without one pair of JSON quotes, and objects and lists from their JSON text; numbers in a text stay text. */
export const asUnquoted: Reader = (value) =>
  typeof value === 'string' && value.startsWith('"') ? asJson(value) : parsed(value);

/** An object, also from JSON text; undefined for any other value. */
export const asObject: Reader = (value) => {
  const object = parsed(value);
  return isJsonObject(object) ? object : undefined;
};

/** A list, also from JSON text; a single value becomes a list of one. */
export const asList: Reader = (value) => {
  const list = parsed(value);
  return Array.isArray(list) ? list : list === null || list === '' ? undefined : [list];
};

/**
 * Tags from a list, JSON text of a list, or comma-separated text; without duplicates, in order of first
 * occurrence.
 */
export const asTags: Reader = (value) => {
  const list = parsed(value);
  const items = Array.isArray(list) ? list : typeof list === 'string' ? list.split(',') : undefined;
  if (items === undefined) return undefined;
  const tags = items.map((item) => asText(item)?.trim()).filter((tag) => tag !== undefined && tag !== '');
  return [...new Set(tags)] as string[];
};

export const asUuid: Reader = (value) => {
  const text = asKey(value);
  return text !== undefined && isUuid(text) ? text.toLowerCase() : undefined;
};

/** A reader that knows a closed list of names. */
export type TableReader = Reader & { readonly names: readonly string[] };

/** Looks up a value by lower-case name. */
export function fromTable(table: Readonly<Record<string, string>>): TableReader {
  const read: Reader = (value) => {
    const name = typeof value === 'string' ? value.trim().toLowerCase() : '';
    return Object.hasOwn(table, name) ? table[name] : undefined;
  };
  return Object.assign(read, { names: Object.keys(table) });
}

/** Converts lists of names by value into a table of values by name. */
export function byName(lists: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([value, names]) => names.map((name) => [name, value])),
  );
}

/**
 * Reads inputs or outputs that are sent under the kind of the span, as `<kind>.input`: the unflattened family is `{<kind>: {input,
 * output}}`.
 */
export function memberOfKinds(name: 'input' | 'output'): Reader {
  return (value) => {
    if (!isJsonObject(value)) return undefined;
    for (const item of Object.values(value)) {
      const found = isJsonObject(item) ? item[name] : undefined;
      if (found !== undefined) return asParsed(found);
    }
    return undefined;
  };
}
