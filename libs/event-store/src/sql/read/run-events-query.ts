import type { Filter } from '@assay/domain';
import type { RunEventsQuery } from '../../aggregate-reads.js';
import { Binder } from '../engine/binder.js';
import type { Query } from '../engine/engine.js';
import { filterConditions, type FilterConditions } from '../filter/filter-conditions.js';
import { separateFilters, totalConditions } from '../filter/session-fields.js';
import type { TableNames } from '../schema/topology.js';

/** Names a row within its project, by the rest of the sort key. */
const ROW = '(start_hour, session_id, event_id)';

/** Events of one session and run, as read: what they share is sent once, because most of the cost is the response. */
export interface RunEventsRow {
  readonly session: string;
  readonly run: string;
  readonly datapoint: string;
  readonly events: readonly RunEventTuple[];
}

export type RunEventTuple = readonly [
  event: string,
  name: string,
  type: string,
  startTime: number,
  version: number,
  failed: number,
  isSelected: number,
  /** 1 or 0 for each of the conditions. */
  holds: readonly number[],
  /** JSON; empty for an event that is not selected. */
  scores: string,
];

/**
 * Which events a statement reads: those that name one of the runs; those of the sessions that name one; those of
 * listed sessions. The last two leave out what the first one has read.
 */
export type RunEventsPart =
  | { readonly kind: 'named' | 'inherited' }
  | { readonly kind: 'listed'; readonly sessionIds: readonly string[] };

/** The statement for one part of the events of runs. Filters on the usage of sessions hold for every session. */
export function runEventsQuery(
  tables: TableNames,
  scope: RunEventsQuery & { readonly projectId: string },
  part: RunEventsPart,
): Query {
  const binder = new Binder();
  const source = `FROM ${tables.events} FINAL ${partCondition(tables, scope, part, binder)}`;
  const conditionsOf = (filters: readonly Filter[]) => selection({ tables, binder, ...scope }, filters);
  const selected = [...timeBounds(scope, binder), ...conditionsOf(scope.filters)].join(' AND ');
  const conditions = (scope.conditions ?? []).map((filters) => conditionsOf(filters).join(' AND '));
  const columns = [
    'toString(event_id)',
    'toString(event_name)',
    'toString(event_type)',
    'start_time',
    'toUInt64(ver)',
    'isNotNull(error)',
    `toUInt8(${selected === '' ? '1' : selected}) AS is_selected`,
    `CAST([${conditions.map((holds) => `toUInt8(${holds === '' ? '1' : holds})`).join(', ')}], 'Array(UInt8)')`,
    `if(is_selected = 1, metrics, '')`,
  ];
  const sql =
    `WITH members AS (SELECT start_hour, session_id, event_id ${source}) ` +
    'SELECT toString(session_id) AS session, run_id AS run, datapoint_id AS datapoint, ' +
    `groupArray((${columns.join(', ')})) AS events ${source} GROUP BY session_id, run_id, datapoint_id`;
  return { sql, bindings: binder.bindings };
}

/** A condition on the sort key may stand before versions of a row are distinguished; the run of an event may change. */
function partCondition(
  tables: TableNames,
  { projectId, runs }: RunEventsQuery & { readonly projectId: string },
  part: RunEventsPart,
  binder: Binder,
): string {
  const project = `project_id = ${binder.text(projectId)}`;
  const named = `run_id IN ${binder.texts(runs.map(({ runId }) => runId))}`;
  if (part.kind === 'named') return `WHERE ${project} AND ${named}`;
  const sessions =
    part.kind === 'listed'
      ? binder.bind(part.sessionIds, 'Array(UUID)')
      : `(SELECT session_id FROM ${tables.events} FINAL WHERE ${project} AND ${named} AND event_id = session_id)`;
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
    events: tables.events,
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
  const found = `${ROW} IN (SELECT ${ROW} FROM ${table} FINAL PREWHERE ${ROW} IN (SELECT ${ROW} FROM members) WHERE ${exact})`;
  const decided = narrow === undefined ? found : `((complete AND ${narrow}) OR (NOT complete AND ${found}))`;
  const holds = exact === undefined ? `${narrow}` : decided;
  return negated ? `NOT (${holds})` : `(${holds})`;
}
