import type { Filter } from './filter.js';

/** Fields that sessions derive from their events when they are read (`withTotals`). */
const DERIVED_FIELDS: readonly string[] = [
  ...['end_time', 'duration'],
  ...['num_events', 'num_model_events', 'num_errors', 'has_feedback'].map((name) => `metadata.${name}`),
  ...['cost', 'total_tokens', 'prompt_tokens', 'completion_tokens'].map((name) => `metadata.${name}`),
];

/** The start of a session that no client sent changes with its events, too. */
const START = 'start_time';

/** Whether no session satisfies all filters, by their types. */
export function excludeSessions(filters: readonly Filter[]): boolean {
  return filters.some(({ field, operator, type, value }) => {
    if (field !== 'event_type' || type !== 'string') return false;
    if (operator === 'is not') return value === 'session';
    if (operator === 'is') return value !== 'session';
    return operator === 'in' && Array.isArray(value) && !value.includes('session');
  });
}

/**
 * Returns the index of a filter whose result for a session changes with its events: it can be decided when the session is
 * read or has been quiet, and not when it arrives. Undefined when there is none.
 */
export function filterOnDerived(filters: readonly Filter[]): number | undefined {
  if (excludeSessions(filters)) return undefined;
  const index = filters.findIndex(({ field }) => DERIVED_FIELDS.includes(field));
  return index < 0 ? undefined : index;
}

/** Filters of which some are on what sessions derive. */
export interface SeparatedFilters {
  /** Those that can be decided about a session when it arrives. */
  readonly onArrival: readonly Filter[];
  /** Those whose result changes with the events of the session. */
  readonly derived: readonly Filter[];
}

/** Separates the filters that {@link filterOnDerived} finds from the others; undefined when there is none. */
export function separateDerived(filters: readonly Filter[]): SeparatedFilters | undefined {
  if (filterOnDerived(filters) === undefined) return undefined;
  const isDerived = ({ field }: Filter) => field === START || DERIVED_FIELDS.includes(field);
  return {
    onArrival: filters.filter((filter) => !isDerived(filter)),
    derived: filters.filter(isDerived),
  };
}
