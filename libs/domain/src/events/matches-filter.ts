import type { JsonValue } from '../json.js';
import type { Event } from './event.js';
import { eventPath, valueAt } from './event-path.js';
import type { Filter, FilterScalar, FilterType } from './filter.js';
import { booleanOf, instantOf, numberOf, textOf } from './filter-value.js';

/** Whether the event satisfies all filters. */
export function matchesFilters(event: Event, filters: readonly Filter[]): boolean {
  return filters.every((filter) => matchesFilter(event, filter));
}

/**
 * Whether the event satisfies one filter. Both sides are read as the filter's type; a stored value that is absent, null or
 * cannot be read so satisfies nothing but the negations (`is not`, `not contains`, `not exists`).
 */
export function matchesFilter(event: Event, filter: Filter): boolean {
  const path = eventPath(filter.field);
  const stored = path === undefined ? null : valueAt(event, path);
  switch (filter.operator) {
    case 'exists':
      return stored !== null;
    case 'not exists':
      return stored === null;
    case 'is':
      return equals(stored, filter);
    case 'is not':
      return !equals(stored, filter);
    case 'in':
      return isOneOf(stored, filter);
    case 'contains':
      return contains(stored, filter.value);
    case 'not contains':
      return !contains(stored, filter.value);
    default:
      return holds(filter.operator, readAs(stored, filter.type), filter.value);
  }
}

function equals(stored: JsonValue, filter: Filter): boolean {
  return stored !== null && readAs(stored, filter.type) === filter.value;
}

function isOneOf(stored: JsonValue, { type, value }: Filter): boolean {
  const read = readAs(stored, type);
  return read !== undefined && listOf(value).includes(read);
}

function contains(stored: JsonValue, part: Filter['value']): boolean {
  return stored !== null && typeof part === 'string' && textOf(stored).toLowerCase().includes(part.toLowerCase());
}

type Comparison = 'greater than' | 'less than' | 'greater than or equal' | 'less than or equal' | 'after' | 'before';

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
