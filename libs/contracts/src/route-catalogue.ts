import type { Route } from './route.js';
import { createFineGrainedApiKey } from './api/api-keys/create-fine-grained-api-key.js';
import { createIngestionApiKey } from './api/api-keys/create-ingestion-api-key.js';
import { deleteApiKey } from './api/api-keys/delete-api-key.js';
import { listApiKeys } from './api/api-keys/list-api-keys.js';
import { listAuditEntries } from './api/audit/list-audit-entries.js';
import { createDataPlane } from './api/data-planes/create-data-plane.js';
import { endDataPlane } from './api/data-planes/end-data-plane.js';
import { listDataPlanes } from './api/data-planes/list-data-planes.js';
import { rotateDataPlaneToken } from './api/data-planes/rotate-data-plane-token.js';
import { updateDataPlane } from './api/data-planes/update-data-plane.js';
import { createEvent } from './api/events/create-event.js';
import { createEventBatch } from './api/events/create-event-batch.js';
import { createLenientEventBatch, createModelEventBatch } from './api/events/create-lenient-event-batch.js';
import { createModelEvent } from './api/events/create-model-event.js';
import { createWrappedEvent } from './api/events/create-wrapped-event.js';
import { deleteEvent } from './api/events/delete-event.js';
import { exportEvents, listEvents } from './api/events/export-events.js';
import { getEvent } from './api/events/get-event.js';
import { searchEvents } from './api/events/search-events.js';
import { updateEvent } from './api/events/update-event.js';
import { updateEventByBody } from './api/events/update-event-by-body.js';
import { listDeadLetters } from './api/dead-letters/list-dead-letters.js';
import { replayDeadLetters } from './api/dead-letters/replay-dead-letters.js';
import { exportTraces } from './api/otlp/export-traces.js';
import { createProject } from './api/projects/create-project.js';
import { deleteProject } from './api/projects/delete-project.js';
import { listProjects } from './api/projects/list-projects.js';
import { updateProject } from './api/projects/update-project.js';
import { createSessionEventBatch } from './api/sessions/create-session-event-batch.js';
import { createSessionTraces } from './api/sessions/create-session-traces.js';
import { deleteSession } from './api/sessions/delete-session.js';
import { getSession } from './api/sessions/get-session.js';
import { startSession } from './api/sessions/start-session.js';
import { startWrappedSession } from './api/sessions/start-wrapped-session.js';

import { createDatapointBatch } from './api/datapoints/create-datapoint-batch.js';
import { createDatapoint } from './api/datapoints/create-datapoint.js';
import { deleteDatapoint } from './api/datapoints/delete-datapoint.js';
import { getDatapoint } from './api/datapoints/get-datapoint.js';
import { listDatapoints } from './api/datapoints/list-datapoints.js';
import { updateDatapoint } from './api/datapoints/update-datapoint.js';
import { addDatapoints } from './api/datasets/add-datapoints.js';
import { createDataset } from './api/datasets/create-dataset.js';
import { deleteDataset, deleteDatasetByQuery } from './api/datasets/delete-dataset.js';
import { listDatasets } from './api/datasets/list-datasets.js';
import { removeDatapoint, removeDatapointByOldPath } from './api/datasets/remove-datapoint.js';
import { updateDataset, updateDatasetByBody } from './api/datasets/update-dataset.js';
import { createRun } from './api/runs/create-run.js';
import { deleteRun } from './api/runs/delete-run.js';
import { getRun } from './api/runs/get-run.js';
import { listRuns } from './api/runs/list-runs.js';
import { updateRun } from './api/runs/update-run.js';
import { createMetric } from './api/metrics/create-metric.js';
import { createMetricVersion } from './api/metrics/create-metric-version.js';
import { deleteMetric, deleteMetricByQuery } from './api/metrics/delete-metric.js';
import { deployMetricVersion } from './api/metrics/deploy-metric-version.js';
import { listMetrics } from './api/metrics/list-metrics.js';
import { listMetricVersions } from './api/metrics/list-metric-versions.js';
import { updateMetric, updateMetricByBody } from './api/metrics/update-metric.js';
import { createConfiguration } from './api/configurations/create-configuration.js';
import { deleteConfiguration } from './api/configurations/delete-configuration.js';
import { listConfigurations } from './api/configurations/list-configurations.js';
import { updateConfiguration } from './api/configurations/update-configuration.js';
import { listQueues } from './api/queues/list-queues.js';
import { createQueue } from './api/queues/create-queue.js';
import { getQueue } from './api/queues/get-queue.js';
import { updateQueue } from './api/queues/update-queue.js';
import { deleteQueue } from './api/queues/delete-queue.js';
import { backfillQueue } from './api/queues/backfill-queue.js';
import { listQueueEvents } from './api/queues/list-queue-events.js';
import { updateQueueEvent } from './api/queues/update-queue-event.js';
import { listCharts, listProjectCharts } from './api/charts/list-charts.js';
import { createChart, createProjectChart } from './api/charts/create-chart.js';
import { getChart, getProjectChart } from './api/charts/get-chart.js';
import { updateChart, updateProjectChart } from './api/charts/update-chart.js';
import { deleteChart, deleteProjectChart } from './api/charts/delete-chart.js';

/** Every route of the API, once. A path without parameters stands before one that would also match it. */
export const ROUTES: readonly Route[] = [
  startSession,
  startWrappedSession,
  createSessionEventBatch,
  createSessionTraces,
  getSession,
  deleteSession,
  createEvent,
  createWrappedEvent,
  createEventBatch,
  createLenientEventBatch,
  createModelEvent,
  createModelEventBatch,
  searchEvents,
  exportEvents,
  listEvents,
  getEvent,
  updateEvent,
  updateEventByBody,
  deleteEvent,
  exportTraces,
  listProjects,
  createProject,
  updateProject,
  deleteProject,
  createIngestionApiKey,
  createFineGrainedApiKey,
  listApiKeys,
  deleteApiKey,
  listDataPlanes,
  createDataPlane,
  updateDataPlane,
  rotateDataPlaneToken,
  endDataPlane,
  listAuditEntries,
  listDatapoints,
  createDatapoint,
  createDatapointBatch,
  getDatapoint,
  updateDatapoint,
  deleteDatapoint,
  listDatasets,
  createDataset,
  updateDatasetByBody,
  deleteDatasetByQuery,
  updateDataset,
  deleteDataset,
  addDatapoints,
  removeDatapoint,
  removeDatapointByOldPath,
  listRuns,
  createRun,
  getRun,
  updateRun,
  deleteRun,
  listMetrics,
  createMetric,
  updateMetricByBody,
  deleteMetricByQuery,
  updateMetric,
  deleteMetric,
  listMetricVersions,
  createMetricVersion,
  deployMetricVersion,
  listConfigurations,
  createConfiguration,
  updateConfiguration,
  deleteConfiguration,
  listQueues,
  createQueue,
  getQueue,
  updateQueue,
  deleteQueue,
  listQueueEvents,
  backfillQueue,
  updateQueueEvent,
  listCharts,
  listProjectCharts,
  createChart,
  createProjectChart,
  getChart,
  getProjectChart,
  updateChart,
  updateProjectChart,
  deleteChart,
  deleteProjectChart,
  listDeadLetters,
  replayDeadLetters,
];
