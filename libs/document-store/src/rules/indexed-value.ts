import type { Scalar } from '../document-store.js';

/**
 * Returns the indexed value of a field: null if the document lacks it, undefined for an object or an array,
 * which equals no scalar.
 */
export function indexedValue(fields: object, name: string): Scalar | undefined {
  const value: unknown = Object.hasOwn(fields, name) ? Reflect.get(fields, name) : null;
  return value === undefined ? null : asScalar(value);
}

/** Returns the scalar as JSON represents it (-0 is 0, no NaN); undefined if the value is not a scalar. */
export function asScalar(value: unknown): Scalar | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'number') return undefined;
  return Number.isFinite(value) ? value + 0 : null;
}
