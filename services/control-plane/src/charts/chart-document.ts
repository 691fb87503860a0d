import type { ChartResponse } from '@assay/contracts';
import { chartWarnings, type Caller } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { notFound } from '@assay/errors';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

type Content = Omit<ChartResponse, 'id' | 'is_active' | 'warnings'>;

export interface ChartFields extends ProjectOwned, Content {}
export type Chart = Document<ChartFields>;
export type ChartCollection = DocumentCollection<ChartFields>;

export const CHART_COLLECTION: CollectionSpec = {
  name: 'charts',
  unique: [],
  indexes: [['project_id', 'created_at']],
};

export interface ChartDeps {
  readonly charts: ChartCollection;
  readonly now: () => Date;
}

export function toChartResponse(chart: Chart): ChartResponse {
  const {
    id,
    name,
    description,
    metric,
    func,
    groupBy,
    bucketing,
    dateRange,
    query,
    owner_id,
    created_at,
    updated_at,
  } = chart;
  const display = { metric, func, groupBy, bucketing, dateRange, query };
  const warnings = chartWarnings(chart);
  return {
    ...{ id, name, description, ...display, owner_id, is_active: true, created_at, updated_at },
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * @throws AppError `NOT_FOUND` if the path names another project than that of the key, whether or not it
 * exists
 */
export function assertOwnProject(
  { project_id }: { project_id: string },
  caller: Pick<Caller, 'projectId'>,
): void {
  if (project_id !== caller.projectId) throw notFound('project not found');
}
