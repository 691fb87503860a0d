import type { Filter, FilterScalar } from '@assay/domain';
import type { Binder } from '../engine/binder.js';

/** The values that a filter compares with: the members of a list, or the one value. */
export function listOf(value: Filter['value']): readonly FilterScalar[] {
  return typeof value === 'object' && value !== null ? value : [value];
}

export function textsOf(value: Filter['value']): string[] {
  return listOf(value).filter((member) => typeof member === 'string');
}

/** Returns the booleans as a list of 1 and 0, which are not user data. */
export function booleansOf(value: Filter['value']): string {
  const flags = listOf(value).filter((member) => typeof member === 'boolean');
  return `CAST([${flags.map(Number).join(', ')}], 'Array(UInt8)')`;
}

/** Returns the numbers as a bound list. */
export function numbersOf(value: Filter['value'], binder: Binder): string {
  const numbers = listOf(value).filter((member) => typeof member === 'number');
  return `arrayMap(v -> toFloat64(v), ${binder.texts(numbers.map(String))})`;
}

const COMPARISONS: Readonly<Partial<Record<Filter['operator'], string>>> = {
  'greater than': '>',
  after: '>',
  'less than': '<',
  before: '<',
  'greater than or equal': '>=',
  'less than or equal': '<=',
};

/** SQL operator of a filter that compares by size. */
export function comparisonOf(filter: Filter): string | undefined {
  return COMPARISONS[filter.operator];
}

/**
 * Returns the comparison of a number, which may be null, with the filter's values (`is`, `in` or by size). A
 * bound that is not a number matches nothing.
 */
export function numberCondition(filter: Filter, number: string, binder: Binder): string {
  const comparison = comparisonOf(filter);
  if (comparison === undefined) return `ifNull(has(${numbersOf(filter.value, binder)}, ${number}), 0)`;
  return typeof filter.value === 'number'
    ? `ifNull(${number} ${comparison} ${binder.number(filter.value)}, 0)`
    : 'false';
}
