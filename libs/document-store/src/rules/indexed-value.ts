import type { Scalar } from '../document-store.js';

/**
 * What an index sees of a field: null when the document lacks it, undefined when it holds an object or an array, which equals
 * no scalar.
 */
export function indexedValue(fields: object, name: string): Scalar | undefined {
  const value: unknown = Object.hasOwn(fields, name) ? Reflect.get(fields, name) : null;
  return value === undefined ? null : asScalar(value);
}

/** The scalar as JSON keeps it (-0 is 0, no NaN); undefined when the value is not one. */
export function asScalar(value: unknown): Scalar | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'number') return undefined;
  return Number.isFinite(value) ? value + 0 : null;
}
