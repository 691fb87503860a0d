import type { FilterInput } from './accept-filters.js';
import { DOTTED_INDEX, hasDottedIndex } from './field-parts.js';
import { derivedInput } from './stored-filters.js';

const DERIVED =
  'is derived when a session is read: the filters select no session that arrives, and backfills select those that match by then';

/**
 * Returns what is wrong with filters of a queue that an earlier release stored, and that a request would be refused
 * for: they select other events than they seem to.
 * @param list path of the filters in the response
 */
export function arrivalWarnings(filters: readonly FilterInput[], list: string): string[] {
  const derived = derivedInput(filters);
  return [
    ...indexWarnings(filters, list),
    ...(derived === undefined ? [] : [`${list}[${derived}].field ${DERIVED}`]),
  ];
}

/** Returns which filters have an index between dots, which is read as a key of digits. */
export function indexWarnings(filters: readonly FilterInput[], list: string): string[] {
  return filters.flatMap(({ field }, index) =>
    hasDottedIndex(field) ? [`${list}[${index}].field ${DOTTED_INDEX}`] : [],
  );
}
