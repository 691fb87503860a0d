import type { JsonValue } from '../../../json.js';

/** A value and all values within it: the lists and objects, too. */
export function* valuesWithin(value: JsonValue): Generator<JsonValue> {
  const left: JsonValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values<JsonValue>(next);
    for (let index = inner.length - 1; index >= 0; index--) left.push(inner[index] ?? null);
  }
}
