import type { ChartQuery, StoredChart } from '../../aggregate-reads.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { chartQuery, type ChartPointRow } from './chart-query.js';
import { readMatchingSessions, readSessionUsage } from './matching-sessions.js';

/** Reads the points of a chart, in one statement unless it needs the usage of sessions. */
export async function readChart(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: ChartQuery,
): Promise<StoredChart> {
  if (query.starts.length === 0) return { points: [], total: 0 };
  const search = { projectId, query, withPayload: false, onlyRuns: query.onlyRuns };
  const sessionIds = await readMatchingSessions(runner, tables, search);
  const fields = [query.value.field, query.groupBy];
  const usage = await readSessionUsage(runner, tables, { ...search, sessionIds }, fields);
  const rows = await runner.query<ChartPointRow>(chartQuery(tables, { projectId, query, sessionIds, usage }));
  const points = rows.map(({ start, name: group, is_large, value, events: count }) => ({
    start,
    group,
    isRest: is_large === 0,
    value,
    count,
  }));
  return { points, total: points.reduce((sum, { count }) => sum + count, 0) };
}
