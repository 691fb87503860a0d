import { visible } from '../rows/visible.js';
import type { UsageDay } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { AMOUNTS, modelAmounts, unpricedModels, type RollupScope } from '../sessions/rollup-query.js';
import { toDayCount } from '../sessions/session-days.js';
import type { DayAmounts } from '../sessions/session-groups-query.js';

/** Days (UTC) of a project, both inclusive, such as `2026-11-22`. */
export interface UsageScope {
  readonly projectId: string;
  readonly first: string;
  readonly last: string;
}

interface UsageRow {
  readonly day: string;
  readonly num_events: number;
  readonly num_model_events: number;
  readonly num_errors: number;
  readonly num_sessions: number;
  readonly num_incomplete: number;
  readonly amounts: DayAmounts;
  readonly unpriced_models: readonly string[];
}

/** Returns what a project used on each day. The text of events is read only if the index lacks an amount. */
export async function readUsageByDay(
  runner: QueryRunner,
  tables: TableNames,
  scope: UsageScope,
): Promise<UsageDay[]> {
  let rows = await runner.query<UsageRow>(usageQuery(tables, scope, 'index'));
  if (rows.some(({ num_incomplete }) => num_incomplete > 0))
    rows = await runner.query<UsageRow>(usageQuery(tables, scope, 'text'));
  return rows.map((row) => ({ ...toDayCount(row), sessions: row.num_sessions }));
}

function usageQuery(
  tables: TableNames,
  { projectId, first, last }: UsageScope,
  from: RollupScope['from'],
): Query {
  const binder = new Binder();
  const [firstDay, lastDay] = [first, last].map((day) => `toDate(${binder.text(day)})`);
  const days = `start_hour >= toDateTime(${firstDay}, 'UTC') AND start_hour < toDateTime(${lastDay} + 1, 'UTC')`;
  const columns = [
    'toString(toDate(start_at)) AS day',
    `countIf(event_type != 'session') AS num_events`,
    `countIf(event_type = 'model') AS num_model_events`,
    `countIf(event_type != 'session' AND isNotNull(error)) AS num_errors`,
    `countIf(event_type = 'session') AS num_sessions`,
    `countIf(event_type = 'model' AND NOT complete) AS num_incomplete`,
    `(${AMOUNTS.map((amount) => `sum(${amount})`).join(', ')}) AS amounts`,
    `${unpricedModels()} AS unpriced_models`,
  ];
  const facts =
    `SELECT start_at, event_type, error, complete, ${modelAmounts(from, binder).join(', ')} FROM ${visible(tables.events)} ` +
    `WHERE project_id = ${binder.text(projectId)} AND ${days}`;
  const sql = `SELECT ${columns.join(', ')} FROM (${facts}) GROUP BY day ORDER BY day`;
  return { sql, bindings: binder.bindings };
}
