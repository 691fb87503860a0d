import type { Filter } from './filter.js';

/** Field of a filter that searches what an event was given and what it returned. */
export const TEXT_FIELD = 'text';
export const TEXT_OPERATORS = ['contains', 'not contains'] as const;

/** The fields that it stands for. */
const SEARCHED = ['inputs', 'outputs'] as const;

/**
 * Returns the filters of which one at least must hold, or for a negation all, in place of a filter on `text`; undefined for other filters. Those
 * of earlier releases may have other operators, and name a field that no event has.
 */
export function filtersOfText(filter: Filter): readonly [Filter, Filter] | undefined {
  if (filter.field !== TEXT_FIELD || !TEXT_OPERATORS.some((one) => one === filter.operator)) return undefined;
  const [first, second] = SEARCHED;
  return [
    { ...filter, field: first },
    { ...filter, field: second },
  ];
}
