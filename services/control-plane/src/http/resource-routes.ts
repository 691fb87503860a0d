import * as routes from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { ResourceOperations } from '../compose-resources.js';

/** The routes of the resources. A path without parameters stands before one that would also match it. */
export function resourceBindings(operations: ResourceOperations): readonly Binding[] {
  return [...caseBindings(operations), ...experimentBindings(operations), ...viewBindings(operations)];
}

function caseBindings(operations: ResourceOperations): readonly Binding[] {
  return [
    bind(routes.listDatapoints, operations.listDatapoints),
    bind(routes.createDatapoint, operations.createDatapoint),
    bind(routes.getDatapoint, operations.getDatapoint),
    bind(routes.updateDatapoint, operations.updateDatapoint),
    bind(routes.deleteDatapoint, operations.deleteDatapoint),
    bind(routes.listDatasets, operations.listDatasets),
    bind(routes.createDataset, operations.createDataset),
    bind(routes.updateDatasetByBody, operations.updateDatasetByBody),
    bind(routes.deleteDatasetByQuery, operations.deleteDatasetByQuery),
    bind(routes.updateDataset, operations.updateDataset),
    bind(routes.deleteDataset, operations.deleteDataset),
    bind(routes.addDatapoints, operations.addDatapoints),
    bind(routes.removeDatapoint, operations.removeDatapoint),
    bind(routes.removeDatapointByOldPath, operations.removeDatapoint),
  ];
}

function experimentBindings(operations: ResourceOperations): readonly Binding[] {
  return [
    bind(routes.listRuns, operations.listRuns),
    bind(routes.createRun, operations.createRun),
    bind(routes.getRun, operations.getRun),
    bind(routes.updateRun, operations.updateRun),
    bind(routes.deleteRun, operations.deleteRun),
    bind(routes.listMetrics, operations.listMetrics),
    bind(routes.createMetric, operations.createMetric),
    bind(routes.updateMetricByBody, operations.updateMetricByBody),
    bind(routes.deleteMetricByQuery, operations.deleteMetricByQuery),
    bind(routes.updateMetric, operations.updateMetric),
    bind(routes.deleteMetric, operations.deleteMetric),
    bind(routes.listMetricVersions, operations.listMetricVersions),
    bind(routes.createMetricVersion, operations.createMetricVersion),
    bind(routes.deployMetricVersion, operations.deployMetricVersion),
  ];
}

function viewBindings(operations: ResourceOperations): readonly Binding[] {
  return [
    bind(routes.listConfigurations, operations.listConfigurations),
    bind(routes.createConfiguration, operations.createConfiguration),
    bind(routes.updateConfiguration, operations.updateConfiguration),
    bind(routes.deleteConfiguration, operations.deleteConfiguration),
    bind(routes.listQueues, operations.listQueues),
    bind(routes.createQueue, operations.createQueue),
    bind(routes.getQueue, operations.getQueue),
    bind(routes.updateQueue, operations.updateQueue),
    bind(routes.deleteQueue, operations.deleteQueue),
    bind(routes.updateQueueEvent, operations.updateQueueEvent),
    bind(routes.listCharts, operations.listCharts),
    bind(routes.listProjectCharts, operations.listProjectCharts),
    bind(routes.createChart, operations.createChart),
    bind(routes.createProjectChart, operations.createProjectChart),
    bind(routes.getChart, operations.getChart),
    bind(routes.getProjectChart, operations.getProjectChart),
    bind(routes.updateChart, operations.updateChart),
    bind(routes.updateProjectChart, operations.updateProjectChart),
    bind(routes.deleteChart, operations.deleteChart),
    bind(routes.deleteProjectChart, operations.deleteProjectChart),
  ];
}
