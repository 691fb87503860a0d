import { validationError } from '@assay/errors';
import { parseJson } from '@assay/http';

/**
 * Reads what stands under a field: the value itself, checked already, or its JSON as text, which is checked here.
 * @returns throws AppError `VALIDATION_ERROR` for text that is no JSON or that `check` refuses
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
