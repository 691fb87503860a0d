import { FILTER_OPERATORS, FILTER_TYPES, type FilterOperator, type FilterType } from '@assay/domain/browser';

/**
 * Filters of a list in its address: `f=field:operator:value:type`, where a `:` or `%` inside of a part is percent-encoded and spaces of an
 * operator are hyphens. Reading is total: a text that is no filter is returned as a broken one, and is never dropped.
 */
export interface ListFilter {
  readonly field: string;
  readonly operator: FilterOperator;
  /** As typed; `in` has a JSON list. Empty for `exists` and `not exists`. */
  readonly value: string;
  readonly type: FilterType;
}

/** A filter that could not be read, as the address has it. */
export interface BrokenFilter {
  readonly broken: string;
}
export type FilterChip = ListFilter | BrokenFilter;

/** The form of a filter in requests. */
export interface WireFilter {
  readonly field: string;
  readonly operator: string;
  readonly type?: string;
  readonly value?: string | string[];
}

export const isBroken = (chip: FilterChip): chip is BrokenFilter => 'broken' in chip;

/** Adds a filter, unless the list has the same one. */
export function withFilter(filters: readonly FilterChip[], filter: ListFilter): readonly FilterChip[] {
  const text = printFilter(filter);
  return filters.some((chip) => printFilter(chip) === text) ? filters : [...filters, filter];
}

/** Whether the operator compares with nothing. */
export const takesNoValue = (operator: FilterOperator) => operator === 'exists' || operator === 'not exists';

export function printFilter(chip: FilterChip): string {
  if (isBroken(chip)) return chip.broken;
  const { field, operator, value, type } = chip;
  const parts = [escapePart(field), operator.replaceAll(' ', '-')];
  if (!takesNoValue(operator)) parts.push(escapePart(value));
  if (type !== 'string' && !takesNoValue(operator)) parts.push(type);
  return parts.join(':');
}

export function parseFilter(text: string): FilterChip {
  const [field = '', name = '', value, type = 'string', ...rest] = text.split(':');
  const operator = FILTER_OPERATORS.find((one) => one.replaceAll(' ', '-') === name);
  const valueType = FILTER_TYPES.find((one) => one === type);
  const known = operator !== undefined && valueType !== undefined && rest.length === 0 && field !== '';
  if (!known || takesNoValue(operator) !== (value === undefined)) return { broken: text };
  const [readField, readValue] = [unescapePart(field), unescapePart(value ?? '')];
  if (readField === undefined || readValue === undefined) return { broken: text };
  return { field: readField, operator, value: readValue, type: valueType };
}

/** Returns the filter of a request. A number beyond 2^53 keeps its digits, because values are sent as text with their type. */
export function toWireFilter({ field, operator, value, type }: ListFilter): WireFilter {
  if (takesNoValue(operator)) return { field, operator };
  return { field, operator, type, value: operator === 'in' ? parseList(value) : value };
}

/** A list in JSON, or one value. */
function parseList(value: string): string[] {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.map(String) : [value];
  } catch {
    return [value];
  }
}

const escapePart = (part: string) => part.replace(/[%:]/g, (sign) => (sign === '%' ? '%25' : '%3A'));

function unescapePart(part: string): string | undefined {
  if (/%(?!25|3A)/i.test(part)) return undefined;
  return part.replace(/%(25|3A)/gi, (_, code: string) => (code === '25' ? '%' : ':'));
}
