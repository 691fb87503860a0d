import { visible } from '../rows/visible.js';
import type { FieldValue, FieldValues, FieldValuesQuery } from '../../../aggregates-port.js';
import { MAX_VALUE_CHARS } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import { derivedValues, type SessionUsage } from '../../filter/derived-values.js';
import { readAs } from '../../filter/read-as.js';
import { exactText, storedValue } from '../../filter/stored-value.js';
import type { TableNames } from '../../schema/topology.js';
import { readSessionUsage } from '../sessions/matching-sessions.js';
import { keyScope } from '../rows/scope.js';
import { matchingRows, type MatchingRows } from '../rows/matching-rows.js';

/** Newest rows whose values are counted. */
const NEWEST_ROWS = 200_000;

/** Which values of which rows to read. */
export interface ValuesSearch extends MatchingRows {
  readonly query: FieldValuesQuery;
}

interface ValueRow {
  readonly text: string;
  readonly is_number: number;
  readonly events: number;
  readonly incomplete: number;
}

/** Reads the most frequent values of a field among the newest matching rows. */
export async function readFieldValues(
  runner: QueryRunner,
  tables: TableNames,
  search: ValuesSearch,
): Promise<FieldValues> {
  const hour = await readNewestHour(runner, tables, search);
  const from = hour === undefined ? search.query.from : Math.max(hour * 1_000, search.query.from ?? 0);
  const newest = { ...search, query: { ...search.query, ...(from !== undefined && { from }) } };
  const usage = await readSessionUsage(runner, tables, newest, [search.query.field]);
  const rows = await runner.query<ValueRow>(valuesQuery(tables, newest, usage));
  const values = rows.filter((row) => Number(row.events) > 0).map(toValue);
  return {
    values: values.slice(0, search.query.limit),
    isPartial: hour !== undefined || rows.some((row) => Number(row.incomplete) > 0),
  };
}

/** Returns the hour of the n-th newest row, Unix seconds; undefined when there are fewer rows. */
async function readNewestHour(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, query }: ValuesSearch,
): Promise<number | undefined> {
  const binder = new Binder();
  const scope = keyScope({ projectId, from: query.from, to: query.to }, binder).join(' AND ');
  const sql =
    `SELECT toUnixTimestamp(start_hour) AS hour FROM ${tables.events} WHERE ${scope} ` +
    `ORDER BY start_hour DESC LIMIT 1 OFFSET ${NEWEST_ROWS}`;
  const [row] = await runner.query<{ hour: number }>({ sql, bindings: binder.bindings });
  return row?.hour;
}

function valuesQuery(tables: TableNames, search: ValuesSearch, usage: SessionUsage | undefined) {
  const binder = new Binder();
  const { query, projectId } = search;
  const { text, isNumber, isMissing } = valueOf(query.field, binder);
  const { names, source, narrowSource } = matchingRows(tables, search, binder);
  const deriving = {
    events: visible(tables.events),
    projectId,
    filters: query.filters,
    source: narrowSource,
    usage,
  };
  const derived = derivedValues([query.field], deriving, binder);
  const stored = { text: 'stored_text', isNumber: 'stored_number' };
  const found = `${derived.text(query.field, stored.text)} AS found, ${derived.isNumber(query.field, stored)} AS is_number`;
  const prefix =
    query.prefix === undefined
      ? '1'
      : `startsWith(lowerUTF8(assumeNotNull(found)), lowerUTF8(${binder.text(query.prefix)}))`;
  const isListed = `isNotNull(found) AND lengthUTF8(assumeNotNull(found)) <= ${MAX_VALUE_CHARS} AND ${prefix}`;
  const rows = `SELECT ${text} AS stored_text, ${isNumber} AS stored_number${derived.columns} ${source}`;
  return {
    // The last row counts the events whose value is unknown.
    sql:
      `${names}SELECT assumeNotNull(found) AS text, is_number, count() AS events, 0 AS incomplete FROM ` +
      `(SELECT ${found} FROM (${rows}) AS e${derived.joins}) WHERE ${isListed} ` +
      `GROUP BY text, is_number ORDER BY events DESC, text LIMIT ${binder.bind(String(query.limit), 'UInt64')} ` +
      `UNION ALL SELECT '', 0, 0, countIf(${isMissing}) ${source}`,
    bindings: binder.bindings,
  };
}

/** A value as nullable text, whether it is a number, and whether it is unknown. */
function valueOf(field: string, binder: Binder): { text: string; isNumber: string; isMissing: string } {
  const stored = storedValue(field);
  if (stored === undefined) return { text: "CAST(NULL, 'Nullable(String)')", isNumber: '0', isMissing: '0' };
  if (stored.leaf === undefined) {
    const isNumber = ['start_time', 'end_time', 'duration'].includes(field) ? '1' : '0';
    return { text: `toNullable(toString(${exactText(stored, binder)}))`, isNumber, isMissing: '0' };
  }
  const key = binder.text(stored.leaf);
  const isNumber = `(NOT mapContains(attrs, ${key}) AND mapContains(nums, ${key}))`;
  const indexed = `multiIf(mapContains(attrs, ${key}), attrs[${key}], mapContains(nums, ${key}), toString(nums[${key}]), NULL)`;
  // Objects and lists are values of no filter; the index has none of them.
  const raw = exactText(stored, binder);
  const scalar = `arrayMap(t -> if(startsWith(ifNull(t, '{'), '{') OR startsWith(t, '['), NULL, t), [${raw}])[1]`;
  if (stored.inPayload) return { text: indexed, isNumber, isMissing: 'NOT complete' };
  return {
    text: `if(complete, ${indexed}, ${scalar})`,
    isNumber: `if(complete, ${isNumber}, isNotNull(${readAs('number', raw)}))`,
    isMissing: '0',
  };
}

function toValue(row: ValueRow): FieldValue {
  return { value: row.is_number === 1 ? Number(row.text) : row.text, count: Number(row.events) };
}
