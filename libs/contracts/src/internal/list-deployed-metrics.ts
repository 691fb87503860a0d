import { Type, type Static } from '@sinclair/typebox';
import type { DeployedMetric } from '@assay/domain';
import { definitionProperties, metricId } from '../api/metrics/metric.js';
import { defineRoute } from '../route.js';
import { text } from '../schema/fields.js';
import { BODY_BYTES, orNull, projectId, readonlyList } from './fields.js';

const cursor = (description: string) =>
  orNull(Type.String({ description, examples: ['2026-11-01T00:00:00.000Z/1'], maxLength: 100 }));

const deployedMetricsQuery = Type.Object({
  projectId: projectId(),
  after: cursor('The `next` of the previous page; null for the first one.'),
});
export type DeployedMetricsQuery = Readonly<Static<typeof deployedMetricsQuery>>;

const deployedMetric = Type.Object(
  {
    id: metricId(),
    version: text('Name of the deployed version.', 'v3'),
    ...definitionProperties,
    criteria: text('As in the definition; empty for a metric that no process evaluates.', 'result = 1'),
  },
  { description: 'A metric in its deployed version.' },
);

/** Metrics of a project, each in its deployed version. */
export interface DeployedMetricsPage {
  readonly metrics: readonly DeployedMetric[];
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null;
}

export const listDeployedMetrics = defineRoute({
  operation: 'listDeployedMetrics',
  method: 'POST',
  path: '/internal/v1/metrics/deployed',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read the metrics of a project in their deployed versions, in pages of a bounded size',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: deployedMetricsQuery,
  response: Type.Object({
    metrics: readonlyList(deployedMetric, 'The metrics that are not deleted, oldest first.', []),
    next: cursor('The `after` of the next page; null on the last one.'),
  }),
});
