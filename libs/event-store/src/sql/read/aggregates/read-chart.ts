import { shortAverage } from '@assay/domain';
import type { ChartQuery, StoredChart } from '../../../aggregates-port.js';
import type { QueryRunner } from '../../engine/engine.js';
import { requireSessions } from '../../filter/session-fields.js';
import type { TableNames } from '../../schema/topology.js';
import { shownModels } from './chart-unpriced.js';
import { chartExceptionsQuery, chartQuery, type ChartPointRow } from './chart-query.js';
import { readMatchingSessions, readSessionUsage } from '../sessions/matching-sessions.js';

/**
 * Reads the points of a chart, in one statement after another one that looks in the index, unless it needs the usage of
 * sessions. Tokens and costs that a session derives are those of its events: a chart contains them only if it is about
 * sessions alone, or a sum would contain each of them twice.
 */
export async function readChart(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: ChartQuery,
): Promise<StoredChart> {
  if (query.starts.length === 0) return { points: [], total: 0 };
  const search = { projectId, query };
  const sessionIds = await readMatchingSessions(runner, tables, search);
  const fields = requireSessions(query.filters) ? [query.value.field, query.groupBy] : [];
  const usage = await readSessionUsage(runner, tables, { ...search, sessionIds }, fields);
  const exceptions = chartExceptionsQuery(tables, { projectId, query });
  const isSimple = exceptions !== undefined && (await runner.query(exceptions)).length === 0;
  const scope = { projectId, query, sessionIds, usage, isSimple };
  const rows = await runner.query<ChartPointRow>(chartQuery(tables, scope));
  const isAverage = query.value.aggregation.kind === 'average';
  const points = rows.map(({ start, name: group, is_large, value, events: count, ...row }) => {
    const point = { start, group, isRest: is_large === 0, count };
    const unpricedModels = shownModels(row.unpriced_models ?? []);
    if (unpricedModels.length > 0) return { ...point, value: null, unpricedModels };
    return { ...point, value: isAverage && value !== null ? shortAverage(value) : value };
  });
  return { points, total: points.reduce((sum, { count }) => sum + count, 0) };
}
