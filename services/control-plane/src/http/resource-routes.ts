import * as routes from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import type { ResourceOperations } from '../compose-resources.js';

/** The routes of the resources; every change has its audit entry. A path without parameters stands before one that would also match it. */
export function resourceBindings(operations: ResourceOperations, change: BindAudited): readonly Binding[] {
  return [
    ...caseBindings(operations, change),
    ...experimentBindings(operations, change),
    ...viewBindings(operations, change),
  ];
}

function caseBindings(operations: ResourceOperations, change: BindAudited): readonly Binding[] {
  return [
    bind(routes.listDatapoints, operations.listDatapoints),
    change(routes.createDatapoint, operations.createDatapoint, 'datapoint.created', (_, { result }) =>
      result.insertedIds.join(','),
    ),
    bind(routes.getDatapoint, operations.getDatapoint),
    change(
      routes.updateDatapoint,
      operations.updateDatapoint,
      'datapoint.changed',
      ({ params }) => params.datapoint_id,
    ),
    change(
      routes.deleteDatapoint,
      operations.deleteDatapoint,
      'datapoint.deleted',
      ({ params }) => params.datapoint_id,
    ),
    bind(routes.listDatasets, operations.listDatasets),
    change(
      routes.createDataset,
      operations.createDataset,
      'dataset.created',
      (_, { result }) => result.insertedId,
    ),
    change(
      routes.updateDatasetByBody,
      operations.updateDatasetByBody,
      'dataset.changed',
      ({ body }) => body.dataset_id,
    ),
    change(
      routes.deleteDatasetByQuery,
      operations.deleteDatasetByQuery,
      ({ query }) => (query.datapoint_id === undefined ? 'dataset.deleted' : 'dataset.changed'),
      ({ query }) => query.dataset_id,
    ),
    change(
      routes.updateDataset,
      operations.updateDataset,
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
    change(
      routes.deleteDataset,
      operations.deleteDataset,
      'dataset.deleted',
      ({ params }) => params.dataset_id,
    ),
    change(
      routes.addDatapoints,
      operations.addDatapoints,
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
    change(
      routes.removeDatapoint,
      operations.removeDatapoint,
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
    change(
      routes.removeDatapointByOldPath,
      operations.removeDatapoint,
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
  ];
}

function experimentBindings(operations: ResourceOperations, change: BindAudited): readonly Binding[] {
  return [
    bind(routes.listRuns, operations.listRuns),
    change(routes.createRun, operations.createRun, 'run.created', (_, { run_id }) => run_id),
    bind(routes.getRun, operations.getRun),
    change(routes.updateRun, operations.updateRun, 'run.changed', ({ params }) => params.run_id),
    change(routes.deleteRun, operations.deleteRun, 'run.deleted', ({ params }) => params.run_id),
    bind(routes.listMetrics, operations.listMetrics),
    change(routes.createMetric, operations.createMetric, 'metric.created', (_, { metric_id }) => metric_id),
    change(routes.updateMetricByBody, operations.updateMetricByBody, 'metric.changed', ({ body }) => body.id),
    change(
      routes.deleteMetricByQuery,
      operations.deleteMetricByQuery,
      'metric.deleted',
      ({ query }) => query.metric_id,
    ),
    change(routes.updateMetric, operations.updateMetric, 'metric.changed', ({ params }) => params.metric_id),
    change(routes.deleteMetric, operations.deleteMetric, 'metric.deleted', ({ params }) => params.metric_id),
    bind(routes.listMetricVersions, operations.listMetricVersions),
    change(
      routes.createMetricVersion,
      operations.createMetricVersion,
      'metric.version_created',
      ({ params }) => params.metric_id,
    ),
    change(
      routes.deployMetricVersion,
      operations.deployMetricVersion,
      'metric.deployed',
      ({ params }) => params.metric_id,
    ),
  ];
}

function viewBindings(operations: ResourceOperations, change: BindAudited): readonly Binding[] {
  return [
    bind(routes.listConfigurations, operations.listConfigurations),
    change(
      routes.createConfiguration,
      operations.createConfiguration,
      'configuration.created',
      (_, { insertedId }) => insertedId,
    ),
    change(
      routes.updateConfiguration,
      operations.updateConfiguration,
      'configuration.changed',
      ({ params }) => params.configId,
    ),
    change(
      routes.deleteConfiguration,
      operations.deleteConfiguration,
      'configuration.deleted',
      ({ params }) => params.configId,
    ),
    bind(routes.listQueues, operations.listQueues),
    change(routes.createQueue, operations.createQueue, 'queue.created', (_, { queue }) => queue.id),
    bind(routes.getQueue, operations.getQueue),
    change(routes.updateQueue, operations.updateQueue, 'queue.changed', ({ params }) => params.queue_id),
    change(routes.deleteQueue, operations.deleteQueue, 'queue.deleted', ({ params }) => params.queue_id),
    bind(routes.listCharts, operations.listCharts),
    bind(routes.listProjectCharts, operations.listProjectCharts),
    change(routes.createChart, operations.createChart, 'chart.created', (_, { data }) => data.id),
    change(
      routes.createProjectChart,
      operations.createProjectChart,
      'chart.created',
      (_, { data }) => data.id,
    ),
    bind(routes.getChart, operations.getChart),
    bind(routes.getProjectChart, operations.getProjectChart),
    change(routes.updateChart, operations.updateChart, 'chart.changed', ({ params }) => params.chart_id),
    change(
      routes.updateProjectChart,
      operations.updateProjectChart,
      'chart.changed',
      ({ params }) => params.chart_id,
    ),
    change(routes.deleteChart, operations.deleteChart, 'chart.deleted', ({ params }) => params.chart_id),
    change(
      routes.deleteProjectChart,
      operations.deleteProjectChart,
      'chart.deleted',
      ({ params }) => params.chart_id,
    ),
  ];
}
