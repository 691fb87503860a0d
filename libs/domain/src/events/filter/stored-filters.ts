import { validationError } from '@assay/errors';
import { filterOnDerived } from './derived-fields.js';
import { acceptFilters, type FilterInput } from './accept-filters.js';

/** Filters of earlier releases may have longer patterns. They are evaluated like others. */
const MAX_PATTERN_LENGTH = 1_000;

/**
 * Checks filters that are to be stored, and evaluated for every event: as {@link acceptFilters}, and a text
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

/**
 * Checks filters of a queue, which decide about events when they arrive: as {@link checkStoredFilters}. What sessions derive
 * from their events is not known then, so that such a filter would never select what a search with it finds.
 * @throws AppError `VALIDATION_ERROR` naming the filter
 */
export function checkArrivalFilters(inputs: readonly FilterInput[], list: string): void {
  checkStoredFilters(inputs, list);
  const derived = derivedInput(inputs);
  if (derived === undefined) return;
  throw validationError(
    `${list}[${derived}].field is ${inputs[derived]?.field}, which sessions derive from their events and do not have when they arrive: add a filter that event_type is not session, or search for the sessions and add their ids as event_ids`,
  );
}

/** Returns the index of a filter on what sessions derive from their events; undefined when there is none. */
export function derivedInput(inputs: readonly FilterInput[]): number | undefined {
  const accepted = inputs.flatMap((input, index) =>
    acceptFilters([input], 'stored').map((filter) => ({ filter, index })),
  );
  const derived = filterOnDerived(accepted.map(({ filter }) => filter));
  return derived === undefined ? undefined : accepted[derived]?.index;
}
