import type { ResponseOf, listMetricVersions as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { mapInBatches } from '../shared/map-in-batches.js';
import { toVersionResponse, versionName } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Lists the versions of a metric, oldest first. @throws AppError `NOT_FOUND` */
export function makeListMetricVersions(deps: MetricDeps) {
  return async function listMetricVersions(
    { params }: { params: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const metrics = new MetricRepository(deps, caller.projectId);
    const metric = await metrics.getExisting(params.metric_id);
    const found = await mapInBatches(metric.version_ids, async (id, index) => {
      const version = await metrics.versions.get(id);
      return version ? [toVersionResponse({ name: versionName(index + 1), version, metric })] : [];
    });
    return { success: true, data: found.flat() };
  };
}
