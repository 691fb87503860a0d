export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const LONG_INTEGERS = /(?<![\d.])\d{16,}(?![\d.eE])/g;

/** Whether a JSON text has an integer that a double cannot hold, which reading would round. */
export function hasRoundedInteger(json: string): boolean {
  if (!/\d{16}/.test(json)) return false;
  const numbers = json.replace(STRINGS, '').match(LONG_INTEGERS) ?? [];
  return numbers.some((digits) => !Number.isSafeInteger(Number(digits)));
}
