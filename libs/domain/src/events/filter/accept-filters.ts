import { validationError } from '@assay/errors';
import { isJsonObject, type JsonValue } from '../../json.js';
import { EVENT_SHAPE, namesWhere } from '../event-shape.js';
import { canonicalUuid, isUuid } from '../identity/uuid-text.js';
import { dayNamed } from '../time/date.js';
import { checkList, checkSum, coerce, isRange } from './filter-coercion.js';
import { inexactNumberText, numberOf } from './filter-value.js';
import { BOUNDS, fittingType, inferType, type FilterMode } from './filter-type.js';
import {
  FILTER_OPERATORS,
  SENT_OPERATORS,
  FILTER_TYPES,
  type Filter,
  type FilterOperator,
  type FilterType,
} from './filter.js';
import { DOTTED_INDEX, hasDottedIndex, withoutQuotes } from './field-parts.js';
import { TEXT_FIELD, TEXT_OPERATORS } from './text-field.js';

/** A filter as a client sends it. */
export interface FilterInput {
  readonly field: string;
  readonly operator?: string;
  readonly value?: JsonValue;
  readonly type?: string;
}

const MAX_FILTERS = 50;
const MAX_SEGMENTS = 32;
const MAX_FIELD_LENGTH = 1_000;
/** No name is as long, with white space around and within it. */
const MAX_OPERATOR_LENGTH = 100;
/** A longer list is refused. */
const MAX_EXACT_LIST = 1_000;

/** Other spellings of operators. `after` and `before` are chosen by the type, see {@link ofType}. */
const SPELLINGS: ReadonlyMap<string, FilterOperator> = new Map([
  ...(['=', '==', 'eq', '$eq', 'equals'] as const).map((spelling) => [spelling, 'is'] as const),
  ...(['!=', '<>', 'ne', '$ne', 'not equals'] as const).map((spelling) => [spelling, 'is not'] as const),
  ...(['>', 'gt', '$gt'] as const).map((spelling) => [spelling, 'greater than'] as const),
  ...(['<', 'lt', '$lt'] as const).map((spelling) => [spelling, 'less than'] as const),
  ...(['>=', 'gte', '$gte'] as const).map((spelling) => [spelling, 'greater than or equal'] as const),
  ...(['<=', 'lte', '$lte'] as const).map((spelling) => [spelling, 'less than or equal'] as const),
  ['$in', 'in'],
  ['is null', 'not exists'],
  ['is not null', 'exists'],
]);
const TIME_COMPARISONS: ReadonlyMap<FilterOperator, FilterOperator> = new Map([
  ['greater than', 'after'],
  ['less than', 'before'],
]);

const ID_FIELDS: readonly string[] = namesWhere(
  EVENT_SHAPE.fields,
  ({ isId, type }) => isId && type !== 'textList',
);

/**
 * Completes filters: the operator defaults to `is`, the type is derived from the operator and the value, and
 * the value is coerced to the type. `is` with null is `not exists`; a value `{$gte, $lte}` becomes one filter
 * per bound. Up to a date means up to the end of that day (UTC). At most 50 filters with 10 MB of texts, 32 path
 * segments, 1,000 values of `in`.
 * @param list path of the filters in the request
 * @throws AppError `VALIDATION_ERROR` naming the filter, as in `filters[0].type`
 */
export function acceptFilters(inputs: readonly FilterInput[], mode: FilterMode, list = 'filters'): Filter[] {
  if (inputs.length > MAX_FILTERS) throw validationError(`${list} must hold at most ${MAX_FILTERS} filters`);
  const filters = inputs.flatMap((input, index) => acceptFilter(input, mode, `${list}[${index}]`));
  checkSum(filters, list);
  return filters;
}

function acceptFilter(
  input: FilterInput,
  mode: FilterMode,
  path: string,
  valuePath = `${path}.value`,
): Filter[] {
  if (!isJsonObject(input)) throw validationError(`${path} must be an object`);
  const field = checkField(input.field, `${path}.field`, mode);
  const type = checkType(input.type, `${path}.type`);
  const named = checkOperator(input.operator, `${path}.operator`);
  if (named === 'has') return acceptFilter({ ...input, ...hasItem(field) }, mode, path);
  const operator = ofType(named, { ...input, type });
  checkTextOperator({ field, operator }, mode, `${path}.operator`);
  if (isRange(input.value)) {
    if (operator !== 'is') throw validationError(`${path}.operator must be is, or absent, for a range`);
    return boundsOf({ ...input, type }, input.value).flatMap((bound) =>
      acceptFilter(bound, mode, path, `${valuePath}.${bound.operator}`),
    );
  }
  const presence = presenceOperator(operator, input.value);
  if (presence !== undefined) return [{ field, operator: presence, type: type ?? 'string', value: null }];
  const value = input.value ?? null;
  if (value === null) throw validationError(`${valuePath} is required by the operator ${operator}`);
  const fitting =
    type === undefined ? inferType(field, operator, value) : fittingType(operator, type, mode, path);
  if (fitting === 'number' && EQUALITIES.includes(operator)) {
    const texts = inexactTexts(value);
    if (texts !== undefined) return [{ field, operator, type: 'string', value: texts }];
  }
  const condition = { field, operator, type: fitting };
  return [{ ...condition, value: acceptValue(condition, value, valuePath) }];
}

const EQUALITIES: readonly FilterOperator[] = ['is', 'is not', 'in'];

/**
 * Returns the JSON of numbers of which one is equal to its neighbours as a double: these are compared digit
 * for digit, as texts. Undefined for other values, and for those that are no numbers.
 */
function inexactTexts(value: JsonValue): string | string[] | undefined {
  if (!Array.isArray(value)) return inexactNumberText(value);
  if (value.length > MAX_EXACT_LIST || value.every((item) => inexactNumberText(item) === undefined))
    return undefined;
  const texts = value.map((item) => inexactNumberText(item) ?? JSON.stringify(numberOf(item)));
  return texts.some((text) => text === undefined) ? undefined : texts;
}

/** A list has a value when any item of it is the value. */
function hasItem(field: string) {
  return { field: `${field}[*]`, operator: 'is' };
}

/** Returns the presence operator of a filter: by its name, or for `is` and `is not` with null. */
function presenceOperator(
  operator: FilterOperator,
  value: JsonValue | undefined,
): FilterOperator | undefined {
  if (operator === 'exists' || operator === 'not exists') return operator;
  if (value !== null) return undefined;
  if (operator === 'is') return 'not exists';
  return operator === 'is not' ? 'exists' : undefined;
}

/** A filter without its value. The type is absent if the client did not send one. */
interface Condition<Type> {
  readonly field: string;
  readonly operator: FilterOperator;
  readonly type: Type;
}

/** One filter for each bound of a range. Bounds are compared by size: they are not text. */
function boundsOf(
  { field, type }: { readonly field: string; readonly type?: FilterType },
  range: Readonly<Record<string, JsonValue>>,
) {
  return Object.entries(range).map(([operator, value]) => {
    const keepsType = operator === '$ne' || type === 'number' || type === 'datetime';
    return { field, operator, value, ...(keepsType && type !== undefined && { type }) };
  });
}

function acceptValue(
  { field, operator, type }: Condition<FilterType>,
  value: JsonValue,
  path: string,
): Filter['value'] {
  if (operator === 'in')
    return checkList(value, path).map((item, index) =>
      canonical(field, coerce(item, type, `${path}[${index}]`)),
    );
  if (operator === BOUNDS[1] && type === 'datetime' && typeof value === 'string') {
    const day = dayNamed(value.trim());
    if (day !== undefined) return day.last;
  }
  return canonical(field, coerce(value, type, path));
}

/** Ids are stored in lower case. */
function canonical<T>(field: string, value: T): T | string {
  return typeof value === 'string' && ID_FIELDS.includes(field) && isUuid(value)
    ? canonicalUuid(value)
    : value;
}

function checkField(field: unknown, path: string, mode: FilterMode): string {
  if (typeof field !== 'string' || field === '') throw validationError(`${path} must be the name of a field`);
  if (field.length > MAX_FIELD_LENGTH)
    throw validationError(`${path} must not be longer than ${MAX_FIELD_LENGTH} characters`);
  if (field.split('.').length > MAX_SEGMENTS)
    throw validationError(`${path} must not have more than ${MAX_SEGMENTS} segments`);
  if (mode !== 'stored' && hasDottedIndex(field)) throw validationError(`${path} ${DOTTED_INDEX}`);
  return withoutQuotes(field);
}

interface NamedOperator {
  readonly name: FilterOperator;
  readonly isSpelling: boolean;
}

function checkOperator(operator: unknown, path: string): NamedOperator | 'has' {
  if (operator === undefined) return { name: 'is', isSpelling: false };
  const isName = typeof operator === 'string' && operator.length <= MAX_OPERATOR_LENGTH;
  const text = isName ? operator.trim().toLowerCase().replace(/\s+/g, ' ') : '';
  if (text === 'has') return text;
  const declared = FILTER_OPERATORS.find((name) => name === text);
  const name = declared ?? SPELLINGS.get(text);
  if (name === undefined) throw validationError(`${path} must be one of: ${SENT_OPERATORS.join(', ')}`);
  return { name, isSpelling: declared === undefined };
}

/** An earlier release may have stored a filter on a field of this name, which no event has. */
function checkTextOperator(
  { field, operator }: Pick<Condition<never>, 'field' | 'operator'>,
  mode: FilterMode,
  path: string,
): void {
  const isAccepted = mode === 'stored' || TEXT_OPERATORS.some((one) => one === operator);
  if (field === TEXT_FIELD && !isAccepted)
    throw validationError(`${path} must be one of: ${TEXT_OPERATORS.join(', ')}; its field is ${TEXT_FIELD}`);
}

/** Returns the operator. The spellings `>` and `<` compare times if the type or else the value says so. */
function ofType(
  { name, isSpelling }: NamedOperator,
  { field, value = null, type }: FilterInput,
): FilterOperator {
  const comparison = isSpelling ? TIME_COMPARISONS.get(name) : undefined;
  if (comparison === undefined) return name;
  return (type ?? inferType(field, BOUNDS[0], value)) === 'datetime' ? comparison : name;
}

function checkType(type: unknown, path: string): FilterType | undefined {
  if (type === undefined) return undefined;
  const known = FILTER_TYPES.find((name) => name === type);
  if (known === undefined) throw validationError(`${path} must be one of: ${FILTER_TYPES.join(', ')}`);
  return known;
}
