export const FILTER_OPERATORS = [
  'exists',
  'not exists',
  'is',
  'is not',
  'contains',
  'not contains',
  'greater than',
  'less than',
  'greater than or equal',
  'less than or equal',
  'after',
  'before',
  'in',
] as const;
/** Operators of requests. `has` is `is` of any item of a list. */
export const SENT_OPERATORS = [...FILTER_OPERATORS, 'has'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export const FILTER_TYPES = ['string', 'number', 'boolean', 'datetime'] as const;
export type FilterType = (typeof FILTER_TYPES)[number];

export type FilterScalar = string | number | boolean | null;

/**
 * One condition on an event, checked and complete: the operator is compatible with the type, and `value` is
 * coerced to the type (`datetime`: Unix milliseconds; `exists` and `not exists`: null; `in`: a list).
 */
export interface Filter {
  /** A field of the event, or a dotted path into one of its objects. */
  readonly field: string;
  readonly operator: FilterOperator;
  readonly type: FilterType;
  readonly value: FilterScalar | readonly FilterScalar[];
}
