import { validationError } from '@assay/errors';
import { BrokenSpan } from '../broken-span.js';

/** A JSON object of unknown content. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Value of a field under its camelCase or snake_case name; null is treated as absent. */
export function field(fields: Fields, camel: string, snake: string): unknown {
  return fields[camel] ?? fields[snake] ?? undefined;
}

/**
 * An array field required to read the request; absent is empty.
 * @throws AppError VALIDATION_ERROR for another type
 */
export function requiredArray(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw validationError(`${path} must be an array`);
  return value;
}

/**
 * An object field required to read the request; absent is empty.
 * @throws AppError VALIDATION_ERROR for another type
 */
export function requiredObject(value: unknown, path: string): Fields {
  if (value === undefined || value === null) return {};
  if (!isFields(value)) throw validationError(`${path} must be an object`);
  return value;
}

/** An array field of one span. */
export function spanArray(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new BrokenSpan(`${name} must be an array`);
  return value;
}

/** A string field; numbers and booleans become strings, any other type is empty. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** A count or flag field: a number or its decimal text; any other type is 0. */
export function unsigned(value: unknown): number {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0;
}

/** Key of a key-value entry: empty when absent, undefined when the entry or its key has another type. */
export function keyOf(entry: unknown): string | undefined {
  if (!isFields(entry)) return undefined;
  const key = entry['key'] ?? '';
  return typeof key === 'string' ? key : undefined;
}
