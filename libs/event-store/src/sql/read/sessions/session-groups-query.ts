import type { EventOrigin, EventType } from '@assay/domain';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { ofSessions } from '../rows/of-sessions.js';
import { AMOUNTS, modelAmounts, unpricedModels } from './rollup-query.js';

/** Sums over model events, in the order of `AMOUNTS`. */
export type DayAmounts = readonly [
  cost: number,
  promptTokens: number,
  completionTokens: number,
  totalTokens: number,
];

/** The rows of a session that have the same visibility, type, name, day and run. */
export interface SessionGroupRow {
  readonly session: string;
  readonly hidden: number;
  readonly type: EventType;
  readonly name: string;
  readonly day: string;
  readonly run: string;
  readonly num_rows: number;
  /** Sum of the versions and of one for each row, as decimal text. */
  readonly versions: string;
  readonly num_errors: number;
  readonly num_with_metrics: number;
  /** Model events whose amounts are known from their text alone. */
  readonly num_incomplete: number;
  readonly amounts: DayAmounts;
  readonly unpriced_models: readonly string[];
  readonly first_start: number;
  readonly last_end: number | null;
  /** The row with the highest version. */
  readonly newest: readonly [
    version: number,
    source: string,
    startTime: number,
    endTime: number | null,
    origin: EventOrigin,
  ];
}

/** Which rows a statement about sessions returns. */
export interface SessionsScope {
  readonly projectId: string;
  readonly sessionIds: readonly string[];
  /** Rows of the result. */
  readonly limit: number;
}

/** Longest name that a summary contains, in characters. */
export const NAME_LENGTH = 200;
/** Groups of one session that are read; one more tells that there are others. */
export const MAX_GROUPS = 200;

/**
 * Selects the groups of the rows of sessions, each row in its newest version. A statement that is short to plan and
 * reads no wide column: most sessions have a few groups.
 */
export function sessionGroupsQuery(
  tables: TableNames,
  { projectId, sessionIds, limit }: SessionsScope,
): Query {
  const binder = new Binder();
  const newest =
    'SELECT session_id, ver, is_deleted, event_type, event_name, source, start_time, end_time, origin, start_at, run_id, ' +
    `isNotNull(error) AS failed, metrics NOT IN ('', '{}') AS is_rated, event_type = 'model' AND NOT complete AS is_incomplete, ` +
    `${modelAmounts('index', binder).join(', ')} FROM ${tables.events} ` +
    `PREWHERE ${ofSessions(tables, { projectId, sessionIds }, binder)} ORDER BY session_id, start_hour, event_id, ver DESC, is_deleted DESC ` +
    'LIMIT 1 BY session_id, start_hour, event_id';
  const columns = [
    'toString(session_id) AS session',
    'is_deleted AS hidden',
    'event_type AS type',
    `substringUTF8(event_name, 1, ${NAME_LENGTH}) AS name`,
    'toString(toDate(start_at)) AS day',
    'run_id AS run',
    'count() AS num_rows',
    'toString(sum(toUInt128(ver) + 1)) AS versions',
    'sum(failed) AS num_errors',
    'sum(is_rated) AS num_with_metrics',
    'sum(is_incomplete) AS num_incomplete',
    `(${AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}) AS amounts`,
    `${unpricedModels()} AS unpriced_models`,
    'min(start_time) AS first_start',
    'max(end_time) AS last_end',
    `argMax((ver, substringUTF8(source, 1, ${NAME_LENGTH}), start_time, end_time, origin), ver) AS newest`,
  ];
  const sql =
    `SELECT ${columns.join(', ')} FROM (${newest}) GROUP BY session_id, hidden, type, name, day, run ` +
    `LIMIT ${MAX_GROUPS + 1} BY session_id LIMIT ${limit}`;
  return { sql, bindings: binder.bindings };
}
