import type { JsonValue } from '../../../json.js';

/** Returns a value as compact JSON; undefined when that is certainly longer, which takes time in proportion to `maxLength`. */
export function shortJson(value: JsonValue, maxLength: number): string | undefined {
  return lengthLeft(value, maxLength) < 0 ? undefined : JSON.stringify(value);
}

/** Subtracts the least length that a value can have as JSON; negative as soon as it exceeds `left`. */
function lengthLeft(value: JsonValue, left: number): number {
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - 1;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index++)
      rest = lengthLeft(value[index] ?? null, rest);
    return rest;
  }
  for (const key in value) {
    if (rest < 0) return rest;
    rest = lengthLeft(value[key] ?? null, rest - key.length - 3);
  }
  return rest;
}
