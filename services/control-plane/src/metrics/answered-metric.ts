import type { AnsweredMetric, AnsweredVersion } from '@assay/contracts';
import { definitionOf } from '@assay/domain';
import type { Metric } from './metric-records.js';
import type { NamedVersion } from './metrics-of.js';

export function answeredMetric(metric: Metric): AnsweredMetric {
  return {
    id: metric.id,
    ...definitionOf(metric),
    created_at: metric.created_at,
    updated_at: metric.updated_at,
  };
}

export function answeredVersion({ name, version, metric }: NamedVersion): AnsweredVersion {
  const { full_sha, message, date, content } = version;
  return { name, full_sha, message, date, deployed: metric.deployed === name, content };
}
