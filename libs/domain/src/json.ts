/**
 * A JSON value, as `JSON.parse` returns it. An integer that a number does not hold digit for digit is a `bigint` where JSON is
 * parsed exactly.
 */
export type JsonValue = string | number | bigint | boolean | null | JsonValue[] | JsonObject;

/**
 * A JSON object. Holds user data unchanged: keys such as `__proto__` or `constructor` are ordinary own
 * properties.
 */
export interface JsonObject {
  [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own property, also for `__proto__`, which an assignment would interpret. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
