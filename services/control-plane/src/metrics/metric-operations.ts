import { makeCreateMetricVersion } from './create-metric-version.js';
import { makeCreateMetric } from './create-metric.js';
import { makeDeleteMetric, makeDeleteMetricByQuery } from './delete-metric.js';
import { makeDeployMetricVersion } from './deploy-metric-version.js';
import { makeListMetricVersions } from './list-metric-versions.js';
import { makeListMetrics } from './list-metrics.js';
import { makeUpdateMetric, makeUpdateMetricByBody } from './update-metric.js';
import type { MetricDeps } from './metric-repository.js';

/** The operations on metrics, by the names of their routes. */
export function metricOperations(deps: MetricDeps) {
  return {
    listMetrics: makeListMetrics(deps),
    createMetric: makeCreateMetric(deps),
    updateMetric: makeUpdateMetric(deps),
    updateMetricByBody: makeUpdateMetricByBody(deps),
    deleteMetric: makeDeleteMetric(deps),
    deleteMetricByQuery: makeDeleteMetricByQuery(deps),
    listMetricVersions: makeListMetricVersions(deps),
    createMetricVersion: makeCreateMetricVersion(deps),
    deployMetricVersion: makeDeployMetricVersion(deps),
  };
}
