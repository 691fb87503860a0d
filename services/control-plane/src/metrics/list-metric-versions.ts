import type { AnswerOf, listMetricVersions as route } from '@assay/contracts';
import type { Asking } from '../records/asking.js';
import { inBatches } from '../records/in-batches.js';
import { answeredVersion } from './answered-metric.js';
import { type MetricDeps, Metrics } from './metrics-of.js';
import { versionName } from './version-name.js';

/** The versions of a metric, oldest first. @throws AppError `NOT_FOUND` */
export function makeListMetricVersions(deps: MetricDeps) {
  return async function listMetricVersions(
    { params }: { params: { metric_id: string } },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const metrics = new Metrics(deps, caller.projectId);
    const metric = await metrics.existing(params.metric_id);
    const found = await inBatches(metric.version_ids, async (id, index) => {
      const version = await metrics.versions.get(id);
      return version ? [answeredVersion({ name: versionName(index + 1), version, metric })] : [];
    });
    return { success: true, data: found.flat() };
  };
}
