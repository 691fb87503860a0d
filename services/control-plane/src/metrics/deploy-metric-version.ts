import type { ExpectedVersion, ResponseOf, deployMetricVersion as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { type Metric, type MetricVersion, toVersionResponse, versionNumber } from './metric-document.js';
import { assertDeployed, type MetricDeps, MetricRepository, withDeployed } from './metric-repository.js';

/**
 * Deploys a version of a metric. No effect if it is deployed already. @throws AppError `NOT_FOUND`,
 * `CONFLICT` also when another version than the expected one is deployed
 */
export function makeDeployMetricVersion(deps: MetricDeps) {
  return async function deployMetricVersion(
    { params, query }: { params: { metric_id: string; version_name: string }; query: ExpectedVersion },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const { metric_id, version_name: name } = params;
    const metrics = new MetricRepository(deps, caller.projectId);
    const version = await existingVersion(metrics, await metrics.getExisting(metric_id), name);
    const metric = await metrics.update(metric_id, (before) => {
      if (before.deployed === name) return before;
      assertDeployed(before, query.expected_version);
      return withDeployed(before, { name, version, at: deps.now().toISOString() });
    });
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
