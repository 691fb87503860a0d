import type { JsonObject, JsonValue } from '@assay/domain';

/** Sets an own property of any name: `__proto__` is data like every other key. */
export function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  target[key] = value;
}
