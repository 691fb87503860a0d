import { isJsonObject, type JsonValue } from '../../json.js';
import { ANY_ITEM, type PathPart } from './field-parts.js';

/** Takes items to read; returns whether they may be read. */
export type TakeWork = (items: number) => boolean;

/** Returns the value under a key or an index; null when there is none. */
export function valueUnder(value: JsonValue, part: string | number): JsonValue {
  if (typeof part === 'number') return Array.isArray(value) ? ((value.at(part) as JsonValue) ?? null) : null;
  return isJsonObject(value) && Object.hasOwn(value, part) ? (value[part] ?? null) : null;
}

/** Returns all values under a path, absent ones as null; undefined when `take` refuses a step, which is asked before it. */
export function valuesUnder(
  value: JsonValue,
  parts: readonly PathPart[],
  take: TakeWork,
): readonly JsonValue[] | undefined {
  let values: readonly JsonValue[] = [value];
  for (const part of parts) {
    if (part === ANY_ITEM) {
      const lists = values.filter((one) => Array.isArray(one));
      if (!take(lists.reduce((sum, list) => sum + list.length, 0))) return undefined;
      values = lists.flat();
    } else {
      if (!take(values.length)) return undefined;
      values = values.map((one) => valueUnder(one, part));
    }
  }
  return values;
}
