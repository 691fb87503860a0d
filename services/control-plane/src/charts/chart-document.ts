import type { ChartResponse } from '@assay/contracts';
import type { Caller } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { notFound } from '@assay/errors';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

type Content = Omit<ChartResponse, 'id' | 'is_active'>;

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
  const drawn = { metric, func, groupBy, bucketing, dateRange, query };
  return { id, name, description, ...drawn, owner_id, is_active: true, created_at, updated_at };
}

/** The routes below a project serve the key's own only. @throws AppError `NOT_FOUND` for any other, whether there is one or not */
export function assertOwnProject(
  { project_id }: { project_id: string },
  caller: Pick<Caller, 'projectId'>,
): void {
  if (project_id !== caller.projectId) throw notFound('project not found');
}
