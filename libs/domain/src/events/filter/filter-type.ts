import { validationError } from '@assay/errors';
import type { JsonValue } from '../../json.js';
import { EVENT_SHAPE, namesWhere } from '../event-shape.js';
import { FILTER_TYPES, type FilterOperator, type FilterType } from './filter.js';

/**
 * `strict` rejects an operator that is incompatible with the type; `lenient` then uses a type that is
 * compatible with the operator. `stored` is lenient, and a segment of digits is a key, as in filters of earlier releases.
 */
export type FilterMode = 'strict' | 'lenient' | 'stored';

/** Operators of the two bounds of a range. */
export const BOUNDS = ['greater than or equal', 'less than or equal'] as const;

const OPERATORS_OF_TYPE: Readonly<Record<FilterType, readonly FilterOperator[]>> = {
  string: ['exists', 'not exists', 'is', 'is not', 'contains', 'not contains', 'in'],
  number: ['exists', 'not exists', 'is', 'is not', 'greater than', 'less than', ...BOUNDS, 'in'],
  boolean: ['exists', 'not exists', 'is'],
  datetime: ['exists', 'not exists', 'is', 'is not', 'after', 'before', ...BOUNDS],
};

const { fields: FIELDS } = EVENT_SHAPE;
const TIME_FIELDS: readonly string[] = namesWhere(FIELDS, ({ instant }) => instant);
const NUMBER_FIELDS: readonly string[] = namesWhere(FIELDS, ({ type }) => type.startsWith('number'));

/**
 * Returns the type of a filter without one: from the operator if that is unambiguous, else from the field and
 * the value.
 */
export function inferType(field: string, operator: FilterOperator, value: JsonValue): FilterType {
  const sample = Array.isArray(value) ? value[0] : value;
  switch (operator) {
    case 'contains':
    case 'not contains':
      return 'string';
    case 'after':
    case 'before':
      return 'datetime';
    case 'greater than':
    case 'less than':
      return 'number';
    case 'greater than or equal':
    case 'less than or equal':
      return isNumeric(sample) && !TIME_FIELDS.includes(field) ? 'number' : 'datetime';
    default:
      return fittingType(operator, typeOfValue(field, sample), 'lenient', '');
  }
}

/** Numeric fields are compared as numbers if the value is a number, even one sent as text. */
function typeOfValue(field: string, value: JsonValue | undefined): FilterType {
  if (NUMBER_FIELDS.includes(field) && isNumeric(value)) return 'number';
  if (TIME_FIELDS.includes(field)) return 'datetime';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function isNumeric(value: JsonValue | undefined): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
  );
}

/** @throws AppError `VALIDATION_ERROR` in mode `strict` if the operator is incompatible with the type */
export function fittingType(
  operator: FilterOperator,
  type: FilterType,
  mode: FilterMode,
  path: string,
): FilterType {
  if (OPERATORS_OF_TYPE[type].includes(operator)) return type;
  if (mode !== 'strict') return typeOfOperator(operator);
  throw validationError(
    `${path}.operator must be one of: ${OPERATORS_OF_TYPE[type].join(', ')}; its type is ${type}`,
  );
}

/** Returns the first type that is compatible with the operator. */
function typeOfOperator(operator: FilterOperator): FilterType {
  return FILTER_TYPES.find((type) => OPERATORS_OF_TYPE[type].includes(operator)) ?? 'string';
}
