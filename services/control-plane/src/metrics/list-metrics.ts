import type {
  ListMetricsQuery,
  listMetrics as route,
  listMetricsAsArray as arrayRoute,
  MetricResponse,
  ResponseOf,
} from '@assay/contracts';
import { traitsOf } from '@assay/domain';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { NamedProjectContext, OperationContext } from '../shared/operation-context.js';
import { toMetricResponse, type Metric } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Lists the metrics of the project, newest first, filtered by type and id. An unknown id yields none. */
export function makeListMetrics(deps: MetricDeps) {
  return async function listMetrics(
    { query }: { query: ListMetricsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const { projectId } = caller;
    const pages = matching(new MetricRepository(deps, projectId), query);
    const warningsOf = await deps.modelWarnings(projectId);
    const toResponse = (metric: Metric) => toMetricResponse(metric, warningsOf(metric));
    return streamJson<ResponseOf<typeof route>>({ metrics: mapPages(pages, toResponse) });
  };
}

/** Lists the metrics as {@link makeListMetrics} does, in the form that the clients of the 0.2 line read. */
export function makeListMetricsAsArray(deps: MetricDeps) {
  return function listMetricsAsArray(
    { query }: { query: ListMetricsQuery },
    { caller }: NamedProjectContext,
  ): Promise<JsonStream<ResponseOf<typeof arrayRoute>>> {
    const pages = matching(new MetricRepository(deps, caller.projectId), query);
    const toOlder = (metric: Metric) => toOlderMetric(toMetricResponse(metric), caller.projectName);
    return Promise.resolve(streamJson<ResponseOf<typeof arrayRoute>>(mapPages(pages, toOlder)));
  };
}

/** Those clients know no categories: the scores are texts to them. */
function toOlderMetric(metric: MetricResponse, projectName: string): ResponseOf<typeof arrayRoute>[number] {
  const { id, criteria, return_type } = metric;
  const { olderType, olderCriteria } = traitsOf(metric);
  return {
    ...metric,
    _id: id,
    task: projectName,
    type: olderType,
    description: metric.description ?? '',
    return_type: return_type === 'categorical' ? 'string' : return_type,
    ...(olderCriteria !== undefined && { [olderCriteria]: criteria }),
  };
}

async function* matching(
  { collection }: MetricRepository,
  { id, type }: ListMetricsQuery,
): AsyncGenerator<readonly Metric[]> {
  if (id === undefined) {
    const equals = { is_active: true, ...(type && { type }) };
    yield* collection.allPages({ equals, orderBy: 'created_at', descending: true });
    return;
  }
  const metric = await collection.get(id);
  if (metric?.is_active && (type === undefined || metric.type === type)) yield [metric];
}
