import type { MetricResponse, VersionResponse } from '@assay/contracts';
import { definitionOf } from '@assay/domain';
import type { Metric } from './metric-document.js';
import type { NamedVersion } from './metric-repository.js';

export function toMetricResponse(metric: Metric): MetricResponse {
  return {
    id: metric.id,
    ...definitionOf(metric),
    created_at: metric.created_at,
    updated_at: metric.updated_at,
  };
}

export function toVersionResponse({ name, version, metric }: NamedVersion): VersionResponse {
  const { full_sha, message, date, content } = version;
  return { name, full_sha, message, date, deployed: metric.deployed === name, content };
}
