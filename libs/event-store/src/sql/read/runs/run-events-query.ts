import { visible } from '../rows/visible.js';
import type { Filter } from '@assay/domain';
import type { RunEventsQuery } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import { filterConditions, type FilterConditions } from '../../filter/filter-conditions.js';
import { separateFilters, totalConditions } from '../../filter/session-fields.js';
import type { TableNames } from '../../schema/topology.js';

/** Names a row within its project, by the rest of the sort key. */
const ROW = '(start_hour, session_id, event_id)';

/**
 * Events of one run, name and type, as read. Most of the cost is the response: the values of a column are one list, in the
 * same order in each, and values that events share are sent once, each with the position of every event's value among them,
 * from 1.
 */
export interface RunEventsRow {
  readonly run: string;
  readonly name: string;
  readonly type: string;
  /** The ids of the events, a list as JSON. */
  readonly events: string;
  /** Unix milliseconds. */
  readonly starts: ArrayLike<number>;
  readonly versions: ArrayLike<number>;
  /** 1 or 0. */
  readonly failed: ArrayLike<number>;
  readonly selected: ArrayLike<number>;
  readonly truths: ArrayLike<number>;
  /** Distinct ids, likewise. */
  readonly sessions: string;
  readonly session_at: ArrayLike<number>;
  readonly datapoints: readonly string[];
  readonly datapoint_at: ArrayLike<number>;
  /** 1 or 0 for each of the conditions, as one text. */
  readonly holds: readonly string[];
  readonly holds_at: ArrayLike<number>;
  /** A list of objects as JSON; empty ones for events that are not selected. */
  readonly scores: string;
  readonly scores_at: ArrayLike<number>;
}

/**
 * Which events a statement reads: those that name one of the runs; those of the sessions that name one; those of
 * listed sessions. The last two leave out what the first one has read.
 */
export type RunEventsPart =
  | { readonly kind: 'named' }
  | { readonly kind: 'inherited' }
  | { readonly kind: 'listed'; readonly sessionIds: readonly string[] };

type PartScope = RunEventsQuery & { readonly projectId: string };

/** The statement for one part of the events of runs. Filters on the usage of sessions hold for every session. */
export function runEventsQuery(tables: TableNames, scope: PartScope, part: RunEventsPart): Query {
  const binder = new Binder();
  const source = `FROM ${visible(tables.events)} ${partCondition(tables, scope, part, binder)}`;
  const members = `WITH members AS (SELECT start_hour, session_id, event_id ${source})`;
  const { isSelected, holds, scores } = derivedColumns(tables, scope, binder);
  const columns = [
    ...['event_id', 'start_time', 'toFloat64(ver)', 'isNotNull(error)', isSelected],
    ...['session_id', 'datapoint_id', holds, scores, groundTruthFlag(scope)],
  ];
  const groups =
    'SELECT run_id AS run, toString(event_name) AS name, toString(event_type) AS type, ' +
    `groupArray((${columns.join(', ')})) AS rows ${source} GROUP BY run_id, event_name, event_type`;
  const listed = [
    `${ids('rows.1')} AS events, rows.2 AS starts, rows.3 AS versions, rows.4 AS failed, rows.5 AS selected`,
    'rows.10 AS truths',
    `${ids('arrayDistinct(rows.6)')} AS sessions, ${positions('rows.6')} AS session_at`,
    `arrayDistinct(rows.7) AS datapoints, ${positions('rows.7')} AS datapoint_at`,
    `arrayDistinct(rows.8) AS holds, ${positions('rows.8')} AS holds_at`,
    `concat('[', arrayStringConcat(arrayDistinct(rows.9), ','), ']') AS scores, ${positions('rows.9')} AS scores_at`,
  ];
  const sql = `${members} SELECT run, name, type, ${listed.join(', ')} FROM (${groups})`;
  return { sql, bindings: binder.bindings, isBinary: true };
}

/** Whether an event is selected, named `is_selected`; which conditions it satisfies; its metrics. */
function derivedColumns(tables: TableNames, scope: PartScope, binder: Binder) {
  const conditionsOf = (filters: readonly Filter[]) => selection({ tables, binder, ...scope }, filters);
  const selected = [...timeBounds(scope, binder), ...conditionsOf(scope.filters)].join(' AND ');
  const conditions = (scope.conditions ?? []).map(({ filters }) => conditionsOf(filters).join(' AND '));
  const held = conditions.map((holds) => `toUInt8(${holds === '' ? '1' : holds})`).join(', ');
  return {
    isSelected: `toUInt8(${selected === '' ? '1' : selected}) AS is_selected`,
    holds: `arrayStringConcat(CAST([${held}], 'Array(String)'))`,
    scores: `if(is_selected = 1 AND metrics != '', metrics, '{}')`,
  };
}

/** 1 for an event that may have a ground truth, otherwise 0. */
export function groundTruthFlag({ findGroundTruths = false }: RunEventsQuery): string {
  return findGroundTruths ? `toUInt8(position(feedback, '"ground_truth"') > 0)` : 'toUInt8(1)';
}

/** The ids of a list as JSON, which takes less time to parse than the bytes of many texts. */
function ids(list: string): string {
  return `concat('["', arrayStringConcat(arrayMap(id -> toString(id), ${list}), '","'), '"]')`;
}

/** The position of each value of a list among its distinct ones, from 1. */
function positions(list: string): string {
  return `arrayEnumerateDense(${list})`;
}

/** A condition on the sort key may stand before versions of a row are distinguished; the run of an event may change. */
function partCondition(
  tables: TableNames,
  { projectId, runs }: PartScope,
  part: RunEventsPart,
  binder: Binder,
): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const named = `run_id IN ${binder.texts(runs.map(({ runId }) => runId))}`;
  if (part.kind === 'named') return `WHERE ${project} AND ${named}`;
  const sessions =
    part.kind === 'listed'
      ? binder.bind(part.sessionIds, 'Array(UUID)')
      : `(SELECT session_id FROM ${visible(tables.events)} WHERE ${project} AND ${named} AND event_id = session_id)`;
  return `PREWHERE ${project} AND session_id IN ${sessions} WHERE NOT (${named})`;
}

function timeBounds({ from, to }: RunEventsQuery, binder: Binder): string[] {
  return [
    ...(from === undefined ? [] : [`start_time >= ${binder.number(from)}`]),
    ...(to === undefined ? [] : [`start_time <= ${binder.number(to)}`]),
  ];
}

interface SelectionScope {
  readonly tables: TableNames;
  readonly projectId: string;
  readonly binder: Binder;
}

/** Conditions that hold for the events of the part that satisfy all filters, those on usage for every session. */
function selection({ tables, projectId, binder }: SelectionScope, filters: readonly Filter[]): string[] {
  const { stored, totals, usage } = separateFilters(filters);
  const onStored = (filter: Filter) => condition(tables, filterConditions(filter, binder));
  const project = `project_id = ${binder.text(projectId)}`;
  const scope = {
    events: visible(tables.events),
    projectId,
    scope: [project, `${ROW} IN (SELECT ${ROW} FROM members)`],
    onStored,
  };
  return [
    ...stored.map(onStored),
    ...totalConditions(totals, scope, binder),
    ...usage.map((filter) => `if(event_type = 'session', 1, ${onStored(filter)})`),
  ];
}

/** Stored text is read for the members alone, and only for incomplete ones where the index decides. */
function condition(tables: TableNames, { negated, narrow, exact, inPayload }: FilterConditions): string {
  const table = inPayload ? tables.payloads : tables.events;
  const found = `${ROW} IN (SELECT ${ROW} FROM ${visible(table)} PREWHERE ${ROW} IN (SELECT ${ROW} FROM members) WHERE ${exact})`;
  const decided = narrow === undefined ? found : `((complete AND ${narrow}) OR (NOT complete AND ${found}))`;
  const holds = exact === undefined ? `${narrow}` : decided;
  return negated ? `NOT (${holds})` : `(${holds})`;
}
