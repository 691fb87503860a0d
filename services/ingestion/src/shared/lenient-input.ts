import { validationError } from '@assay/errors';
import { parseJson } from '@assay/http';

/** A value in which every nullable field is absent instead. */
export type WithoutNulls<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Returns the object without its null fields: on lenient routes null means absent. */
export function withoutNulls<T extends object>(sent: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as WithoutNulls<T>;
}

/**
 * Returns a function that reads a wrapped value: an object, which is already checked, or its JSON text, which
 * is parsed and checked. The function throws AppError `VALIDATION_ERROR` for text that is not JSON or that
 * `check` rejects.
 */
export function makeUnwrap<T>(field: string, check: (value: unknown) => T): (wrapped: T | string) => T {
  return (wrapped) => (typeof wrapped === 'string' ? check(parsed(field, wrapped)) : wrapped);
}

function parsed(field: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch (cause) {
    throw validationError(`${field} must be an object or its JSON`, { cause });
  }
}
