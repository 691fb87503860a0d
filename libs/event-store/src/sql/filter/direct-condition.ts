import { EVENT_SHAPE, namesWhere, type Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import { numberCondition, textsOf } from './filter-value.js';
import { numberOf } from './stored-value.js';

const { fields: FIELDS } = EVENT_SHAPE;
const UUID_COLUMNS: readonly string[] = namesWhere(FIELDS, ({ type }) => type === 'uuid');
const TEXT_COLUMNS: readonly string[] = namesWhere(
  FIELDS,
  ({ type, internal }) => (type === 'text' || type === 'textOrNull') && !internal,
);
const NUMBER_COLUMNS: readonly string[] = namesWhere(FIELDS, ({ type }) => type.startsWith('number'));
/** Paths whose text has a separate column if it is a string. */
const PATH_COLUMNS: Readonly<Record<string, string>> = {
  'metadata.run_id': 'run_id',
  'metadata.datapoint_id': 'datapoint_id',
};

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Text that may be the JSON of a value other than a string. */
const MAY_BE_JSON = /^(?:[-0-9{[]|true$|false$|$)/;

/**
 * Returns the condition on a column that holds the value of the filter's field in its native type; undefined
 * if there is no such column.
 */
export function directCondition(filter: Filter, binder: Binder): string | undefined {
  if (NUMBER_COLUMNS.includes(filter.field)) return onNumber(filter, binder);
  if (filter.type !== 'string' || (filter.operator !== 'is' && filter.operator !== 'in')) return undefined;
  const texts = textsOf(filter.value);
  if (UUID_COLUMNS.includes(filter.field)) return isOneOfUuids(filter.field, texts, binder);
  if (TEXT_COLUMNS.includes(filter.field)) return `ifNull(${filter.field} IN ${binder.texts(texts)}, 0)`;
  const column = Object.hasOwn(PATH_COLUMNS, filter.field) ? PATH_COLUMNS[filter.field] : undefined;
  if (column === undefined || texts.some((text) => MAY_BE_JSON.test(text))) return undefined;
  return `${column} IN ${binder.texts(texts)}`;
}

function onNumber(filter: Filter, binder: Binder): string | undefined {
  if (filter.operator === 'exists' || filter.operator === 'contains') return undefined;
  const isNumber = filter.type === 'number' || filter.type === 'datetime';
  return isNumber ? numberCondition(filter, numberOf(filter.field), binder) : undefined;
}

/** Ids are stored in lower case; any other text equals none of them. */
function isOneOfUuids(column: string, texts: readonly string[], binder: Binder): string {
  const uuids = texts.filter((text) => CANONICAL_UUID.test(text));
  return uuids.length === 0 ? 'false' : `${column} IN ${binder.bind(uuids, 'Array(UUID)')}`;
}
