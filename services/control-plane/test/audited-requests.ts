import { randomUUID } from 'node:crypto';

/** Ids of one resource of each kind. */
export type Made = Record<
  | 'datapoint'
  | 'dataset'
  | 'run'
  | 'metric'
  | 'job'
  | 'configuration'
  | 'queue'
  | 'chart'
  | 'alert'
  | 'project',
  string
>;

export interface Change {
  readonly path: string;
  readonly body?: object;
  readonly action: string;
}

export const METRIC = {
  name: 'canary-metric',
  type: 'PYTHON',
  criteria: 'canary-criteria',
  return_type: 'float',
};
export const CONFIGURATION = {
  name: 'canary-configuration',
  provider: 'canary',
  parameters: { call_type: 'chat', model: 'canary' },
};
const CANARY_MEMBER = {
  id: 'canary',
  dataset_id: 'canary',
  list_id: 'canary',
  datapoint_id: 'canary',
  position: 'canary',
};
export const ALERT = {
  name: 'canary-alert',
  threshold: 1,
  webhook: { url: 'https://example.com/canary', secret: 'canary-secret-of-a-receiver' },
};
export const CHART = { name: 'canary-chart', metric: 'canary' };

/**
 * One request for each route of a project key that changes something. A route that is missing here fails the
 * test.
 */
export const CHANGES: Readonly<Record<string, (made: Made) => Change>> = {
  createDatapoint: () => ({
    path: '/v1/datapoints',
    body: { inputs: { canary: 1 } },
    action: 'datapoint.created',
  }),
  updateDatapoint: ({ datapoint }) => ({
    path: `/v1/datapoints/${datapoint}`,
    body: { inputs: {} },
    action: 'datapoint.changed',
  }),
  deleteDatapoint: ({ datapoint }) => ({ path: `/v1/datapoints/${datapoint}`, action: 'datapoint.deleted' }),
  createDataset: () => ({ path: '/v1/datasets', body: { name: 'canary' }, action: 'dataset.created' }),
  updateDatasetByBody: ({ dataset }) => ({
    path: '/v1/datasets',
    body: { dataset_id: dataset, name: 'canary' },
    action: 'dataset.changed',
  }),
  deleteDatasetByQuery: ({ dataset }) => ({
    path: `/v1/datasets?dataset_id=${dataset}`,
    action: 'dataset.deleted',
  }),
  updateDataset: ({ dataset }) => ({
    path: `/v1/datasets/${dataset}`,
    body: { name: 'canary' },
    action: 'dataset.changed',
  }),
  deleteDataset: ({ dataset }) => ({ path: `/v1/datasets/${dataset}`, action: 'dataset.deleted' }),
  importDatapoints: ({ dataset }) => ({
    path: `/v1/datasets/${dataset}/datapoints`,
    body: { datapoints: [{ id: 'a0b1c2'.repeat(4), inputs: { canary: 1 } }] },
    action: 'dataset.changed',
  }),
  addDatapoints: ({ dataset }) => ({
    path: `/v1/datasets/${dataset}/datapoints`,
    body: { data: [{ canary: 'canary' }], mapping: { inputs: ['canary'], history: [], ground_truth: [] } },
    action: 'dataset.changed',
  }),
  removeDatapoint: ({ dataset, datapoint }) => ({
    path: `/v1/datasets/${dataset}/datapoints/${datapoint}`,
    action: 'dataset.changed',
  }),
  removeDatapointByOldPath: ({ dataset, datapoint }) => ({
    path: `/v1/datasets/${dataset}/${datapoint}`,
    action: 'dataset.changed',
  }),
  createRun: () => ({
    path: '/v1/runs',
    body: { name: 'canary', run_id: randomUUID() },
    action: 'run.created',
  }),
  updateRun: ({ run }) => ({ path: `/v1/runs/${run}`, body: { name: 'canary' }, action: 'run.changed' }),
  deleteRun: ({ run }) => ({ path: `/v1/runs/${run}`, action: 'run.deleted' }),
  createMetric: () => ({ path: '/v1/metrics', body: METRIC, action: 'metric.created' }),
  updateMetricByBody: ({ metric }) => ({
    path: '/v1/metrics',
    body: { id: metric, description: 'canary' },
    action: 'metric.changed',
  }),
  deleteMetricByQuery: ({ metric }) => ({
    path: `/v1/metrics?metric_id=${metric}`,
    action: 'metric.deleted',
  }),
  updateMetric: ({ metric }) => ({
    path: `/v1/metrics/${metric}`,
    body: { description: 'canary' },
    action: 'metric.changed',
  }),
  deleteMetric: ({ metric }) => ({ path: `/v1/metrics/${metric}`, action: 'metric.deleted' }),
  createMetricVersion: ({ metric }) => ({
    path: `/v1/metrics/${metric}/versions`,
    body: { content: METRIC, message: 'canary' },
    action: 'metric.version_created',
  }),
  deployMetricVersion: ({ metric }) => ({
    path: `/v1/metrics/${metric}/versions/v1/deploy`,
    action: 'metric.deployed',
  }),
  evaluateStoredEvents: ({ metric }) => ({
    path: `/v1/metrics/${metric}/evaluate`,
    body: { filters: [{ field: 'event_name', operator: 'is', value: 'canary' }] },
    action: 'job.started',
  }),
  stopJob: ({ job }) => ({ path: `/v1/jobs/${job}`, action: 'job.stopped' }),
  createConfiguration: () => ({
    path: '/v1/configurations',
    body: CONFIGURATION,
    action: 'configuration.created',
  }),
  updateConfiguration: ({ configuration }) => ({
    path: `/v1/configurations/${configuration}`,
    body: CONFIGURATION,
    action: 'configuration.changed',
  }),
  deleteConfiguration: ({ configuration }) => ({
    path: `/v1/configurations/${configuration}`,
    action: 'configuration.deleted',
  }),
  createQueue: () => ({ path: '/v1/queues', body: { name: 'canary' }, action: 'queue.created' }),
  updateQueue: ({ queue }) => ({
    path: `/v1/queues/${queue}`,
    body: { name: 'canary' },
    action: 'queue.changed',
  }),
  deleteQueue: ({ queue }) => ({ path: `/v1/queues/${queue}`, action: 'queue.deleted' }),
  createChart: () => ({ path: '/v1/charts', body: CHART, action: 'chart.created' }),
  createProjectChart: ({ project }) => ({
    path: `/v1/projects/${project}/charts`,
    body: CHART,
    action: 'chart.created',
  }),
  updateChart: ({ chart }) => ({
    path: `/v1/charts/${chart}`,
    body: { name: 'canary' },
    action: 'chart.changed',
  }),
  updateProjectChart: ({ project, chart }) => ({
    path: `/v1/projects/${project}/charts/${chart}`,
    body: { name: 'canary' },
    action: 'chart.changed',
  }),
  deleteChart: ({ chart }) => ({ path: `/v1/charts/${chart}`, action: 'chart.deleted' }),
  deleteProjectChart: ({ project, chart }) => ({
    path: `/v1/projects/${project}/charts/${chart}`,
    action: 'chart.deleted',
  }),
  createAlert: () => ({ path: '/v1/alerts', body: ALERT, action: 'alert.created' }),
  updateAlert: ({ alert }) => ({
    path: `/v1/alerts/${alert}`,
    body: { name: 'canary' },
    action: 'alert.changed',
  }),
  muteAlert: ({ alert }) => ({
    path: `/v1/alerts/${alert}/mute`,
    body: { until: '2027-11-01T00:00:00Z' },
    action: 'alert.muted',
  }),
  testAlert: ({ alert }) => ({ path: `/v1/alerts/${alert}/test`, action: 'alert.tested' }),
  deleteAlert: ({ alert }) => ({ path: `/v1/alerts/${alert}`, action: 'alert.deleted' }),
  importDocuments: () => ({
    path: '/v1/transfers/documents',
    body: { kind: 'dataset_members', documents: [CANARY_MEMBER] },
    action: 'dataset_members.imported',
  }),
};
