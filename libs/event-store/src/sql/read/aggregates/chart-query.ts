import { visible } from '../rows/visible.js';
import type { ChartAggregation } from '@assay/domain';
import type { ChartQuery } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import { derivedValues, type DerivedValues, type SessionUsage } from '../../filter/derived-values.js';
import type { TableNames } from '../../schema/topology.js';
import { UNPRICED_FIELD } from '../../filter/session-fields.js';
import { chartColumn, type ChartColumn, type ChartReading } from './chart-column.js';
import { isOfCosts, UNPRICED_MODELS, unpricedColumn, unpricedList } from './chart-unpriced.js';
import { keyScope } from '../rows/scope.js';
import { INCOMPLETE, matchingRows } from '../rows/matching-rows.js';

/** One group in one bucket. */
export interface ChartPointRow {
  readonly start: number;
  readonly name: string;
  /** 0 for all groups beyond the largest ones. */
  readonly is_large: number;
  readonly value: number | null;
  readonly events: number;
  /** Of a chart of costs: the models of events without a known one. */
  readonly unpriced_models?: readonly string[];
}

export interface ChartScope {
  readonly projectId: string;
  readonly query: ChartQuery;
  /** As in a search. */
  readonly sessionIds?: readonly string[];
  /** Usage of the matching sessions, when it is a value of the chart. */
  readonly usage?: SessionUsage;
  /** Whether no event of the chart's hours is one that {@link chartExceptionsQuery} looks for. */
  readonly isSimple?: boolean;
}

const KEY = 'start_hour, session_id, event_id';

/**
 * The statement that finds an event in the chart's hours, in any version, whose values are not those of the index of numbers or texts
 * alone: it is not completely indexed, or its number is a boolean. Without such an event the statement of the chart is a third
 * cheaper, and this one reads nothing but the index. Undefined when the chart needs no such difference.
 */
export function chartExceptionsQuery(
  tables: TableNames,
  { projectId, query }: Pick<ChartScope, 'projectId' | 'query'>,
): Query | undefined {
  const binder = new Binder();
  const columns = Object.values(chartColumns(query, binder)) as ChartColumn[];
  const exceptions = new Set(columns.flatMap(({ simple }) => simple?.exceptions ?? []));
  const isDecidable = columns.every(({ exact, simple }) => exact === undefined || simple !== undefined);
  if (!isDecidable || exceptions.size === 0) return undefined;
  const found = new Binder();
  const inHours = keyScope({ projectId, from: query.from, to: query.to }, found).join(' AND ');
  const hasAny = `hasAny(kv, ${found.texts([...exceptions])})`;
  return {
    sql: `SELECT 1 AS found FROM ${tables.events} WHERE ${inHours} AND ${hasAny} LIMIT 1`,
    bindings: found.bindings,
  };
}

/**
 * The statement of a chart: the aggregate of each bucket and group. Groups beyond the largest ones are one group, so
 * that the number of rows is bounded.
 */
export function chartQuery(tables: TableNames, scope: ChartScope): Query {
  const { projectId, query, sessionIds, usage, isSimple = false } = scope;
  const binder = new Binder();
  const { value, groupBy, filters } = query;
  const search = { projectId, query, sessionIds };
  const { names, source, narrowSource } = matchingRows(tables, search, binder);
  const columns = chartColumns(query, binder, isSimple);
  const deriving = { events: visible(tables.events), projectId, filters, source: narrowSource, usage };
  const derived = derivedValues([value.field, groupBy, columns.unpriced && UNPRICED_FIELD], deriving, binder);
  const project = `project_id = ${binder.text(projectId)}`;
  const stored = matchingValues(tables, columns, { matching: source, project, derived });
  const values = {
    value: derived[isCounting(query) ? 'text' : 'number'](value.field, 'stored_value'),
    grp: groupBy === undefined ? 'stored_grp' : derived.text(groupBy, 'stored_grp'),
  };
  const unpriced = columns.unpriced
    ? { list: `, ${unpricedList(derived)} AS unpriced`, models: `, ${UNPRICED_MODELS} AS unpriced_models` }
    : { list: '', models: '' };
  const rows = `SELECT at, ${values.value} AS value, ifNull(${values.grp}, '') AS grp${unpriced.list} FROM (${stored}) AS e${derived.joins}`;
  const starts = `arrayMap(v -> toFloat64(v), ${binder.texts(query.starts.map(String))})`;
  const maxGroups = binder.bind(query.maxGroups, 'UInt64');
  const largest = `largest AS (SELECT grp FROM chart_rows GROUP BY grp ORDER BY count() DESC, grp LIMIT ${maxGroups})`;
  const sql =
    `${names === '' ? 'WITH ' : `${names.trimEnd()}, `}chart_rows AS (${rows}), ${largest} ` +
    `SELECT roundDown(at, ${starts}) AS start, ` +
    `${groupBy === undefined ? 'toUInt8(1)' : 'grp IN (SELECT grp FROM largest)'} AS is_large, ` +
    `if(is_large = 1, grp, '') AS name, toUInt32(count()) AS events, ${aggregate(value.aggregation)} AS value${unpriced.models} ` +
    `FROM chart_rows GROUP BY start, is_large, name`;
  return { sql, bindings: binder.bindings };
}

interface ChartColumns {
  readonly value: ChartColumn;
  readonly grp: ChartColumn;
  /** The model of an event whose cost is unknown, else an empty text; absent unless the chart is of costs. */
  readonly unpriced?: ChartColumn;
}

function chartColumns({ value, groupBy }: ChartQuery, binder: Binder, isSimple = false): ChartColumns {
  const column = (field: string, reading: ChartReading): ChartColumn => {
    const found = chartColumn(field, reading, binder);
    return isSimple && found.simple ? { indexed: found.simple.value, inPayload: false } : found;
  };
  return {
    value: column(value.field, isCounting({ value }) ? 'text' : 'number'),
    grp: groupBy === undefined ? { indexed: `''`, inPayload: false } : column(groupBy, 'group'),
    ...(isOfCosts({ value }) && { unpriced: unpricedColumn(binder, isSimple) }),
  };
}

function isCounting({ value: { aggregation } }: Pick<ChartQuery, 'value'>): boolean {
  return aggregation.kind === 'count' || aggregation.kind === 'distinct';
}

interface Matching {
  /** `FROM … WHERE …` of the matching rows. */
  readonly matching: string;
  readonly project: string;
  readonly derived: DerivedValues;
}

/**
 * Rows of time, stored value and stored group. The index has the values of most events: stored objects are read for the
 * others alone, by their keys, so that no other row of these wide columns is read.
 */
function matchingValues(tables: TableNames, columns: ChartColumns, scope: Matching): string {
  const { matching, project, derived } = scope;
  const all = Object.values(columns) as ChartColumn[];
  const selected = Object.entries(columns).map(
    ([name, { indexed = 'NULL' }]: [string, ChartColumn]) => `, ${indexed} AS stored_${name}`,
  );
  const indexed = `SELECT start_time AS at${selected.join('')}${derived.columns} ${matching}`;
  if (all.every(({ exact }) => exact === undefined)) return indexed;
  const isIndexed = all.every((column) => column.indexed !== undefined);
  const keys = `SELECT ${KEY} ${matching}${isIndexed ? ` AND ${INCOMPLETE}` : ''}`;
  const stored = storedValues(tables, columns, derived, `${project} AND (${KEY}) IN (${keys})`);
  return isIndexed ? `${indexed} AND complete UNION ALL ${stored}` : stored;
}

function storedValues(
  tables: TableNames,
  columns: ChartColumns,
  derived: DerivedValues,
  prewhere: string,
): string {
  const entries = Object.entries(columns) as [string, ChartColumn][];
  const select = (inPayload: boolean) =>
    entries
      .filter(([, column]) => (column.exact !== undefined && column.inPayload) === inPayload)
      .map(([name, { exact, indexed }]) => `, ${exact ?? indexed} AS stored_${name}`)
      .join('');
  const narrow = `SELECT ${KEY}, start_time AS at${select(false)}${derived.columns} FROM ${visible(tables.events)} PREWHERE ${prewhere}`;
  const wide = `SELECT ${KEY}${select(true)} FROM ${visible(tables.payloads)} PREWHERE ${prewhere}`;
  const joined = select(true) === '' ? '' : ` INNER JOIN (${wide}) AS p USING (${KEY})`;
  const names = entries.map(([name]) => `, stored_${name}`).join('');
  return `SELECT at${names}${derived.names} FROM (${narrow}) AS e${joined}`;
}

/** Quantiles interpolate linearly between the closest ranks, as in results of runs. */
function aggregate(aggregation: ChartAggregation): string {
  switch (aggregation.kind) {
    case 'count':
      return 'toFloat64(count(value))';
    case 'distinct':
      return 'toFloat64(uniqExact(value))';
    case 'sum':
      return 'ifNull(sum(value), 0)';
    case 'average':
      // The plain average drifts with the number of values; beyond the range of a double only it has a sign.
      return 'if(isFinite(sumKahan(value)), sumKahan(value) / count(value), avg(value))';
    case 'quantile':
      return `quantileExactInclusive(${aggregation.level})(value)`;
    default:
      return `${aggregation.kind}(value)`;
  }
}
