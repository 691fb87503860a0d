import { hash } from 'node:crypto';
import type { Scalar } from '../document-store.js';
import { indexedValue } from './indexed-value.js';

/**
 * A fixed-length name for the values of a unique set: SHA-256 over their JSON text, in which `1` and `"1"` differ. Undefined when
 * the document lacks a scalar in one of the fields and so takes no part.
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
