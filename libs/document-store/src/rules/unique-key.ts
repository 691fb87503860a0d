import { hash } from 'node:crypto';
import type { Scalar } from '../document-store.js';
import { indexedValue } from './indexed-value.js';

/**
 * Returns a fixed-length key of the values of a unique set: SHA-256 of their JSON text, in which `1` and
 * `"1"` differ. Undefined if one of the fields is not a scalar; the set then does not apply to the document.
 */
export function uniqueKey(set: readonly string[], fields: object): string | undefined {
  const values: Scalar[] = [];
  for (const name of set) {
    const value =
      Object.hasOwn(fields, name) && Reflect.get(fields, name) !== undefined
        ? indexedValue(fields, name)
        : undefined;
    if (value === undefined) return undefined;
    values.push(value);
  }
  return hash('sha256', JSON.stringify([set, values]), 'base64url');
}
