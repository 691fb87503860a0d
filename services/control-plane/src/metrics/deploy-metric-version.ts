import type { ResponseOf, deployMetricVersion as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { toVersionResponse } from './metric-response.js';
import type { Metric, MetricVersion } from './metric-document.js';
import { deployed, type MetricDeps, MetricRepository } from './metric-repository.js';
import { versionNumber } from './version-name.js';

/** Lets a version judge in place of the one that does now; without effect when it is that one. @throws AppError `NOT_FOUND`, `CONFLICT` */
export function makeDeployMetricVersion(deps: MetricDeps) {
  return async function deployMetricVersion(
    { params }: { params: { metric_id: string; version_name: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const { metric_id, version_name: name } = params;
    const metrics = new MetricRepository(deps, caller.projectId);
    const version = await existingVersion(metrics, await metrics.getExisting(metric_id), name);
    const metric = await metrics.collection.change(metric_id, (before) => {
      if (!before.is_active) throw notFound('metric not found');
      return before.deployed === name ? before : deployed(before, name, version, deps.now().toISOString());
    });
    if (!metric) throw notFound('metric not found');
    return { success: true, data: toVersionResponse({ name, version, metric }) };
  };
}

async function existingVersion(
  metrics: MetricRepository,
  { version_ids }: Metric,
  name: string,
): Promise<MetricVersion> {
  const id = version_ids[(versionNumber(name) ?? 0) - 1];
  const version = id === undefined ? undefined : await metrics.versions.get(id);
  if (!version) throw notFound('version not found');
  return version;
}
