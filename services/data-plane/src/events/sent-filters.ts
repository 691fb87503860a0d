import { validationError } from '@assay/errors';
import { parseJson } from '@assay/http';

/**
 * Returns filters that may be sent as a list or as its JSON text; empty text means none.
 * @param check validates a list that was sent as text, as the route validates one that was not
 * @throws AppError `VALIDATION_ERROR` naming the filter
 */
export function sentFilters<T>(
  filters: readonly T[] | string | null | undefined,
  check: (list: readonly unknown[]) => readonly T[] | string | null | undefined,
): readonly T[] {
  if (typeof filters !== 'string') return filters ?? [];
  if (filters.trim() === '') return [];
  const checked = check(parsedList(filters));
  return typeof checked === 'string' ? [] : (checked ?? []);
}

function parsedList(text: string): readonly unknown[] {
  const parsed = parsedJson(text);
  if (Array.isArray(parsed)) return parsed as unknown[];
  throw validationError('filters must be a list, or its JSON text');
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch (cause) {
    throw validationError('filters must be a list, or its JSON text', { cause });
  }
}
