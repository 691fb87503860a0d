import {
  createMetric,
  createMetricVersion,
  deleteMetric,
  deleteMetricByQuery,
  deployMetricVersion,
  getMetric,
  listMetricVersions,
  listMetrics,
  listMetricsAsArray,
  updateMetric,
  updateMetricByBody,
} from '@assay/contracts';
import { acceptOtlpMetrics, bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import { makeCreateMetric } from './create-metric.js';
import { makeCreateMetricVersion } from './create-metric-version.js';
import { makeDeleteMetric, makeDeleteMetricByQuery } from './delete-metric.js';
import { makeDeployMetricVersion } from './deploy-metric-version.js';
import { makeGetMetric } from './get-metric.js';
import { makeListMetricVersions } from './list-metric-versions.js';
import { makeListMetrics, makeListMetricsAsArray } from './list-metrics.js';
import type { MetricDeps } from './metric-repository.js';
import { makeUpdateMetric, makeUpdateMetricByBody } from './update-metric.js';

export function metricRoutes(deps: MetricDeps & { readonly bindAudited: BindAudited }): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listMetrics, makeListMetrics(deps)),
    bind(listMetricsAsArray, makeListMetricsAsArray(deps)),
    bind(getMetric, makeGetMetric(deps)),
    acceptOtlpMetrics(
      bindAudited(createMetric, makeCreateMetric(deps), 'metric.created', (_, { metric_id }) => metric_id),
    ),
    bindAudited(updateMetricByBody, makeUpdateMetricByBody(deps), 'metric.changed', ({ body }) => body.id),
    bindAudited(
      deleteMetricByQuery,
      makeDeleteMetricByQuery(deps),
      'metric.deleted',
      ({ query }) => query.metric_id,
    ),
    bindAudited(updateMetric, makeUpdateMetric(deps), 'metric.changed', ({ params }) => params.metric_id),
    bindAudited(deleteMetric, makeDeleteMetric(deps), 'metric.deleted', ({ params }) => params.metric_id),
    bind(listMetricVersions, makeListMetricVersions(deps)),
    bindAudited(
      createMetricVersion,
      makeCreateMetricVersion(deps),
      'metric.version_created',
      ({ params }) => params.metric_id,
    ),
    bindAudited(
      deployMetricVersion,
      makeDeployMetricVersion(deps),
      'metric.deployed',
      ({ params }) => params.metric_id,
    ),
  ];
}
