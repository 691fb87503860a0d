import type {
  CreateMetricVersionRequest,
  createMetricVersion as route,
  ExpectedVersion,
  ResponseOf,
} from '@assay/contracts';
import { checkVersionContent, newMetric } from '@assay/domain';
import { withinSize } from '../shared/within-size.js';
import { checkChildMetrics } from './check-child-metrics.js';
import { checkCriteria } from './check-criteria.js';
import type { OperationContext } from '../shared/operation-context.js';
import { toVersionResponse } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

interface CreationRequest {
  readonly params: { readonly metric_id: string };
  readonly query: ExpectedVersion;
  readonly body: CreateMetricVersionRequest;
}

/**
 * Creates a version of a metric as a draft, or deploys it immediately.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` if fields of the content contradict each other, `CONFLICT`
 */
export function makeCreateMetricVersion(deps: MetricDeps) {
  return async function createMetricVersion(
    { params, query, body }: CreationRequest,
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const content = withinSize('metric', newMetric(body.content, 'content.'));
    checkVersionContent(content);
    const { projectId } = caller;
    await checkCriteria(deps, { projectId, definition: content, path: 'content.' });
    const metrics = new MetricRepository(deps, projectId);
    await checkChildMetrics(metrics, { definition: content, id: params.metric_id, path: 'content.' });
    const added = await metrics.addVersion(params.metric_id, {
      contentOf: () => content,
      message: body.message,
      deploy: body.deploy_immediately ?? false,
      expected: query.expected_version,
    });
    return { success: true, data: toVersionResponse(added) };
  };
}
