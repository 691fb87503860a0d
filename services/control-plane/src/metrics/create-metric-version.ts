import type { ResponseOf, CreateMetricVersionRequest, createMetricVersion as route } from '@assay/contracts';
import { checkVersionContent, newMetric } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { toVersionResponse } from './metric-response.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/**
 * Creates a version, as a draft or deployed at once.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` when fields of the content do not go together, `CONFLICT`
 */
export function makeCreateMetricVersion(deps: MetricDeps) {
  return async function createMetricVersion(
    { params, body }: { params: { metric_id: string }; body: CreateMetricVersionRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const content = newMetric(body.content, 'content.');
    checkVersionContent(content);
    const metrics = new MetricRepository(deps, caller.projectId);
    const added = await metrics.addVersion(
      params.metric_id,
      () => content,
      body.message,
      body.deploy_immediately ?? false,
    );
    return { success: true, data: toVersionResponse(added) };
  };
}
