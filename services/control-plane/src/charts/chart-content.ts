import type { ChartResponse, UpdateChartRequest } from '@assay/contracts';
import {
  acceptChartRange,
  checkChartGroup,
  checkChartMeasure,
  checkChartPaths,
  checkStoredFilters,
} from '@assay/domain';

/** Fields of a chart that clients set. */
export type ChartContent = Omit<ChartResponse, 'id' | 'is_active' | 'created_at' | 'updated_at' | 'warnings'>;

export const EMPTY_CHART: Omit<ChartContent, 'name' | 'metric'> = {
  description: null,
  func: null,
  groupBy: null,
  bucketing: 'day',
  dateRange: null,
  query: null,
  owner_id: null,
};

/**
 * Returns the content with the given fields replaced; null clears a field. @throws AppError
 * `VALIDATION_ERROR`
 */
export function changedContent(content: ChartContent, changes: UpdateChartRequest, now: Date): ChartContent {
  const { name, description, metric, func, groupBy, bucketing, dateRange, query, owner_id } = {
    ...content,
    ...changes,
  };
  if (changes.metric !== undefined || changes.func !== undefined) checkChartMeasure({ metric, func });
  if (changes.groupBy) checkChartGroup(changes.groupBy);
  checkChartPaths(changes);
  if (changes.query) checkStoredFilters(changes.query, 'query');
  const range = dateRange && acceptChartRange(dateRange, now.getTime());
  return { name, description, metric, func, groupBy, bucketing, dateRange: range, query, owner_id };
}
