import { validationError } from '@assay/errors';
import { acceptFilters, type FilterInput } from './accept-filters.js';

/** Filters of earlier releases may have longer patterns. They are evaluated like others. */
const MAX_PATTERN_LENGTH = 1_000;

/**
 * Checks filters that are to be stored, and evaluated for every event that arrives: as {@link acceptFilters}, and a text
 * that events are searched for has at most 1,000 characters.
 * @param list path of the filters in the request
 * @throws AppError `VALIDATION_ERROR` naming the filter, as in `filters[0].value`
 */
export function checkStoredFilters(inputs: readonly FilterInput[], list: string): void {
  acceptFilters(inputs, 'lenient', list);
  for (const [index, input] of inputs.entries()) {
    const [{ operator, value } = { operator: 'is', value: null }] = acceptFilters([input], 'lenient');
    const isSearched = operator === 'contains' || operator === 'not contains';
    if (isSearched && typeof value === 'string' && value.length > MAX_PATTERN_LENGTH)
      throw validationError(
        `${list}[${index}].value must not be longer than ${MAX_PATTERN_LENGTH} characters with the operator ${operator}`,
      );
  }
}
