import type { JsonValue } from '../../json.js';
import type { Event } from '../event.js';
import { eventPath, valueAt } from './event-path.js';
import type { Filter, FilterScalar, FilterType } from './filter.js';
import { booleanOf, instantOf, numberOf, textOf } from './filter-value.js';

/** Returns whether the event satisfies all filters. */
export function matchesFilters(event: Event, filters: readonly Filter[]): boolean {
  return filterMatcher(filters)(event);
}

/**
 * Returns whether the event satisfies one filter. Both sides are read as the filter's type. A stored value
 * that is absent, null or of another type satisfies only the negations (`is not`, `not contains`, `not
 * exists`).
 */
export function matchesFilter(event: Event, filter: Filter): boolean {
  return filterMatcher([filter])(event);
}

/** As {@link matchesFilters}, for many events: prepares the filters once. */
export function filterMatcher(filters: readonly Filter[]): (event: Event) => boolean {
  const compiled = filters.map((filter) => ({ path: eventPath(filter.field), holds: valueMatcher(filter) }));
  return (event) =>
    compiled.every(({ path, holds }) => holds(path === undefined ? null : valueAt(event, path)));
}

function valueMatcher(filter: Filter): (stored: JsonValue) => boolean {
  const { operator, type, value } = filter;
  switch (operator) {
    case 'exists':
      return (stored) => stored !== null;
    case 'not exists':
      return (stored) => stored === null;
    case 'is':
      return (stored) => equals(stored, filter);
    case 'is not':
      return (stored) => !equals(stored, filter);
    case 'in':
      return (stored) => isOneOf(stored, filter);
    case 'contains':
      return container(value);
    case 'not contains': {
      const contains = container(value);
      return (stored) => !contains(stored);
    }
    default:
      return (stored) => holds(operator, readAs(stored, type), value);
  }
}

function equals(stored: JsonValue, filter: Filter): boolean {
  return stored !== null && readAs(stored, filter.type) === filter.value;
}

function isOneOf(stored: JsonValue, { type, value }: Filter): boolean {
  const read = readAs(stored, type);
  return read !== undefined && listOf(value).includes(read);
}

function container(value: Filter['value']): (stored: JsonValue) => boolean {
  const part = typeof value === 'string' ? value.toLowerCase() : undefined;
  return (stored) => part !== undefined && stored !== null && textOf(stored).toLowerCase().includes(part);
}

type Comparison =
  'greater than' | 'less than' | 'greater than or equal' | 'less than or equal' | 'after' | 'before';

function holds(comparison: Comparison, stored: FilterScalar | undefined, bound: Filter['value']): boolean {
  if (typeof stored !== 'number' || typeof bound !== 'number') return false;
  switch (comparison) {
    case 'greater than':
    case 'after':
      return stored > bound;
    case 'less than':
    case 'before':
      return stored < bound;
    case 'greater than or equal':
      return stored >= bound;
    case 'less than or equal':
      return stored <= bound;
  }
}

function readAs(stored: JsonValue, type: FilterType): string | number | boolean | undefined {
  if (stored === null) return undefined;
  switch (type) {
    case 'string':
      return textOf(stored);
    case 'number':
      return numberOf(stored);
    case 'boolean':
      return booleanOf(stored);
    case 'datetime':
      return instantOf(stored);
  }
}

function listOf(value: Filter['value']): readonly FilterScalar[] {
  return typeof value === 'object' && value !== null ? value : [value];
}
