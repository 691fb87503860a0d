import type { CollectionSpec, Condition, EntryQuery, ListQuery, Scalar } from '../document-store.js';
import { countingSet, type Covering, coveringSet } from '../rules/covering-set.js';
import { asScalar } from '../rules/indexed-value.js';
import { LOWEST_BLOB, LOWEST_TEXT, selectColumn, toColumnValue } from './column-value.js';
import type { SqlValue } from './connection.js';
import { indexOf, quoted } from './table.js';

/** SQL and its bound values. User data is never part of the SQL text. */
export interface Query {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

type Equals = Readonly<Record<string, Scalar>>;

/**
 * Selects id, version and JSON. Finds the rows of the page first, in one step, and then reads the documents
 * in its order.
 */
export function listQuery(spec: CollectionSpec, query: ListQuery): Query {
  const page = pageQuery(spec, query, '_rowid AS _row');
  return {
    sql:
      `WITH _page AS MATERIALIZED (${page.sql}) SELECT CAST(_id AS BLOB), _version, _json ` +
      `FROM _page CROSS JOIN ${quoted(spec.name)} AS _document ON _document._rowid = _page._row`,
    values: page.values,
  };
}

/** Selects the ids of a page and the sizes of their JSON in bytes, without reading it. */
export function sizesQuery(spec: CollectionSpec, query: ListQuery): Query {
  const page = pageQuery(spec, query, '_rowid AS _row');
  return {
    sql:
      `WITH _page AS MATERIALIZED (${page.sql}) SELECT CAST(_id AS BLOB), octet_length(_json) ` +
      `FROM _page CROSS JOIN ${quoted(spec.name)} AS _document ON _document._rowid = _page._row`,
    values: page.values,
  };
}

/** Selects the id, and the type and value of the ordering field. */
export function entriesQuery(spec: CollectionSpec, query: EntryQuery): Query {
  return pageQuery(spec, query, `CAST(_id AS BLOB), ${selectColumn(quoted(query.orderBy))}`);
}

export function countQuery(spec: CollectionSpec, equals: Equals, where: readonly Condition[]): Query {
  return selection(spec, countingSet(spec, equals, where), { columns: 'count(*)', equals, where });
}

function pageQuery(spec: CollectionSpec, query: ListQuery, columns: string): Query {
  const { equals, where = [], orderBy, descending = false, offset = 0, limit } = query;
  const set = coveringSet(spec, equals, orderBy);
  const { sql, values } = selection(spec, set, { columns, equals, where });
  const order = orderBy === undefined || Object.hasOwn(equals, orderBy) ? ['_id'] : [quoted(orderBy), '_id'];
  const direction = descending ? ' DESC' : '';
  return {
    sql: `${sql} ORDER BY ${order.map((column) => column + direction).join(', ')} LIMIT ? OFFSET ?`,
    values: [...values, limit, offset],
  };
}

/** Names the index, so that a query without one fails instead of scanning the whole table. */
function selection(
  spec: CollectionSpec,
  set: Covering,
  { columns, equals, where }: { columns: string; equals: Equals; where: readonly Condition[] },
): Query {
  const terms = [...Object.entries(equals).map(equalTo), ...where.map(meets)];
  const filter = terms.length === 0 ? '' : ` WHERE ${terms.map(({ sql }) => sql).join(' AND ')}`;
  return {
    sql: `SELECT ${columns} FROM ${quoted(spec.name)} INDEXED BY ${indexOf(spec, set)}${filter}`,
    values: terms.flatMap(({ values }) => values),
  };
}

/** `=` lets SQLite use the index of documents that have the field; `IS` is equality that includes null. */
function equalTo([field, value]: readonly [string, Scalar]): Query {
  const wanted = toColumnValue(asScalar(value));
  return { sql: `${quoted(field)} ${wanted === null ? 'IS' : '='} ?`, values: [wanted] };
}

function meets(condition: Condition): Query {
  const column = quoted(condition.field);
  if ('in' in condition) return isOneOf(column, condition.in);
  if ('containsAny' in condition) return containsAny(column, condition.containsAny);
  return isBetween(column, condition);
}

function isOneOf(column: string, wanted: readonly Scalar[]): Query {
  const values = wanted.map((value) => toColumnValue(asScalar(value)));
  const some = values.filter((value) => value !== null);
  const among = `${column} IN (${some.map(() => '?').join(', ')})`;
  const orNull = some.length < values.length;
  return { sql: orNull ? `(${among} OR ${column} IS NULL)` : among, values: some };
}

function containsAny(column: string, texts: readonly string[]): Query {
  const any = texts.map(() => `instr(${column}, ?) > 0`).join(' OR ') || 'FALSE';
  return { sql: `(typeof(${column}) = 'text' AND (${any}))`, values: texts };
}

/** An open bound is the bound of the values of that type. */
function isBetween(column: string, bounds: { from?: string | number; to?: string | number }): Query {
  const { from, to } = bounds;
  const terms: Query[] = [];
  if (from !== undefined) terms.push({ sql: `${column} >= ?`, values: [from] });
  if (to !== undefined) terms.push({ sql: `${column} <= ?`, values: [to] });
  const types = new Set([from, to].filter((bound) => bound !== undefined).map((bound) => typeof bound));
  if (types.has('number')) terms.push({ sql: `${column} < ?`, values: [LOWEST_TEXT] });
  if (types.has('string')) {
    terms.push({ sql: `${column} >= ?`, values: [LOWEST_TEXT] });
    terms.push({ sql: `${column} < ?`, values: [LOWEST_BLOB] });
  }
  if (terms.length === 0) return { sql: 'TRUE', values: [] };
  return { sql: terms.map(({ sql }) => sql).join(' AND '), values: terms.flatMap(({ values }) => values) };
}
