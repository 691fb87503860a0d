import type { ResponseOf, listMetricVersions as route } from '@assay/contracts';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { toVersionResponse, versionName } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Lists the versions of a metric, oldest first. @throws AppError `NOT_FOUND` */
export function makeListMetricVersions(deps: MetricDeps) {
  return async function listMetricVersions(
    { params }: { params: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const metrics = new MetricRepository(deps, caller.projectId);
    const metric = await metrics.getExisting(params.metric_id);
    const numberOf = new Map(metric.version_ids.map((id, index) => [id, index + 1]));
    const data = mapPages(metrics.versions.pagesByIds(metric.version_ids), (version) =>
      toVersionResponse({ name: versionName(numberOf.get(version.id) ?? 0), version, metric }),
    );
    return streamJson<ResponseOf<typeof route>>({ success: true, data });
  };
}
