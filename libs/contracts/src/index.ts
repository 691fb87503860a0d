export type { TSchema } from '@sinclair/typebox';
export {
  defineRoute,
  type ResponseOf,
  type HttpMethod,
  type RequestOf,
  type Route,
  type RouteAccess,
  type RouteLimits,
  type RouteOwner,
} from './route.js';
export {
  RECORD_HEADERS,
  RECORD_KINDS,
  RECORD_VERSION,
  type EventRecord,
  type Move,
  type RecordKind,
} from './log/event-record.js';
export { decodeRecord, encodeRecord, type EncodedRecord } from './log/encode-record.js';
export { ROUTES } from './route-catalogue.js';
export * as internalApi from './internal/index.js';
export { compile } from './validate.js';
export { UUID, UUID_SHAPE } from './formats.js';
export { errorBody, toErrorBody, type ErrorBody } from './error-body.js';
export { openApiDocument } from './openapi.js';
export { routesDocument } from './generate/routes-document.js';
export { eventResponse, type EventResponse } from './api/events/event.js';
export { createEvent, createEventRequest, type CreateEventRequest } from './api/events/create-event.js';
export { createEventBatch, type CreateEventBatchRequest } from './api/events/create-event-batch.js';
export { updateEvent, type UpdateEventRequest } from './api/events/update-event.js';
export { deleteEvent } from './api/events/delete-event.js';
export { getEvent } from './api/events/get-event.js';
export {
  MAX_PAGE,
  SEARCH_LIMIT,
  eventPage,
  searchEvents,
  type SearchEventsRequest,
} from './api/events/search-events.js';
export {
  EXPORT_LIMIT,
  exportEvents,
  listEvents,
  type ExportEventsRequest,
} from './api/events/export-events.js';
export {
  createWrappedEvent,
  createWrappedEventRequest,
  type CreateWrappedEventRequest,
} from './api/events/create-wrapped-event.js';
export { createModelEvent, type CreateModelEventRequest } from './api/events/create-model-event.js';
export {
  createLenientEventBatch,
  createModelEventBatch,
  type CreateLenientEventBatchRequest,
  type CreateModelEventBatchRequest,
} from './api/events/create-lenient-event-batch.js';
export { lenientEvent, modelEvent, type LenientEvent, type ModelEvent } from './api/events/lenient-event.js';
export { updateEventByBody, type UpdateEventByBodyRequest } from './api/events/update-event-by-body.js';
export { strictFilter, type WireFilter } from './api/events/filter.js';
export { dateRange, type WireDateRange } from './api/events/date-range.js';
export { sessionProperties, type SessionProperties } from './api/sessions/session-properties.js';
export {
  startSession,
  startedSession,
  type StartSessionRequest,
  type StartedSession,
} from './api/sessions/start-session.js';
export { lenientSession, type LenientSession } from './api/sessions/lenient-session.js';
export {
  startWrappedSession,
  startWrappedSessionRequest,
  type StartWrappedSessionRequest,
} from './api/sessions/start-wrapped-session.js';
export {
  createSessionEventBatch,
  type CreateSessionEventBatchRequest,
} from './api/sessions/create-session-event-batch.js';
export {
  createSessionTraces,
  type CreateSessionTracesRequest,
} from './api/sessions/create-session-traces.js';
export { deleteSession } from './api/sessions/delete-session.js';
export { getSession, sessionTree } from './api/sessions/get-session.js';
export { exportTraces } from './api/otlp/export-traces.js';
export {
  PROJECT_TYPES,
  projectResponse,
  type ProjectResponse,
  type ProjectType,
} from './api/projects/project.js';
export { listProjects } from './api/projects/list-projects.js';
export { createProject, type CreateProjectRequest } from './api/projects/create-project.js';
export { updateProject, type UpdateProjectRequest } from './api/projects/update-project.js';
export { deleteProject } from './api/projects/delete-project.js';
export { listedKey, type ListedKey } from './api/api-keys/api-key.js';
export {
  createIngestionApiKey,
  type CreateIngestionApiKeyRequest,
} from './api/api-keys/create-ingestion-api-key.js';
export {
  createFineGrainedApiKey,
  type CreateFineGrainedApiKeyRequest,
} from './api/api-keys/create-fine-grained-api-key.js';
export { listApiKeys } from './api/api-keys/list-api-keys.js';
export { deleteApiKey } from './api/api-keys/delete-api-key.js';
export { dataPlaneResponse, type DataPlaneResponse } from './api/data-planes/data-plane.js';
export { createDataPlane, type CreateDataPlaneRequest } from './api/data-planes/create-data-plane.js';
export { listDataPlanes } from './api/data-planes/list-data-planes.js';
export { updateDataPlane, type UpdateDataPlaneRequest } from './api/data-planes/update-data-plane.js';
export {
  rotateDataPlaneToken,
  type RotateDataPlaneTokenRequest,
} from './api/data-planes/rotate-data-plane-token.js';
export { endDataPlane } from './api/data-planes/end-data-plane.js';
export {
  listAuditEntries,
  type ActorKind,
  type AuditEntryResponse,
  type ListAuditEntriesQuery,
} from './api/audit/list-audit-entries.js';
export {
  datapointResponse,
  MAX_UNPAGED_DATAPOINTS,
  type DatapointResponse,
} from './api/datapoints/datapoint.js';
export { listDatapoints, type ListDatapointsQuery } from './api/datapoints/list-datapoints.js';
export {
  createDatapointBatch,
  MAX_BATCH_DATAPOINTS,
  type CreateDatapointBatchRequest,
  type WireFilters,
} from './api/datapoints/create-datapoint-batch.js';
export { createDatapoint, type CreateDatapointRequest } from './api/datapoints/create-datapoint.js';
export { getDatapoint } from './api/datapoints/get-datapoint.js';
export { updateDatapoint, type UpdateDatapointRequest } from './api/datapoints/update-datapoint.js';
export { deleteDatapoint } from './api/datapoints/delete-datapoint.js';
export { datasetResponse, type DatasetResponse } from './api/datasets/dataset.js';
export { listDatasets, type ListDatasetsQuery } from './api/datasets/list-datasets.js';
export { createDataset, type CreateDatasetRequest } from './api/datasets/create-dataset.js';
export {
  updateDataset,
  updateDatasetByBody,
  type UpdateDatasetByBodyRequest,
  type UpdateDatasetRequest,
} from './api/datasets/update-dataset.js';
export {
  deleteDataset,
  deleteDatasetByQuery,
  type DeleteDatasetByQuery,
} from './api/datasets/delete-dataset.js';
export { addDatapoints, type AddDatapointsRequest } from './api/datasets/add-datapoints.js';
export { removeDatapoint, removeDatapointByOldPath } from './api/datasets/remove-datapoint.js';
export { runResponse, type RunResponse } from './api/runs/run.js';
export { createRun, type CreateRunRequest } from './api/runs/create-run.js';
export { listRuns, type ListRunsQuery, type RunSort } from './api/runs/list-runs.js';
export { getRun } from './api/runs/get-run.js';
export { updateRun, type UpdateRunRequest } from './api/runs/update-run.js';
export { deleteRun } from './api/runs/delete-run.js';
export { metricResponse, type MetricResponse } from './api/metrics/metric.js';
export { listMetrics, type ListMetricsQuery } from './api/metrics/list-metrics.js';
export { createMetric, type CreateMetricRequest } from './api/metrics/create-metric.js';
export {
  updateMetric,
  updateMetricByBody,
  type UpdateMetricByBodyRequest,
  type UpdateMetricRequest,
} from './api/metrics/update-metric.js';
export { deleteMetric, deleteMetricByQuery } from './api/metrics/delete-metric.js';
export { type VersionResponse } from './api/metrics/metric-version.js';
export { listMetricVersions } from './api/metrics/list-metric-versions.js';
export { createMetricVersion, type CreateMetricVersionRequest } from './api/metrics/create-metric-version.js';
export { deployMetricVersion } from './api/metrics/deploy-metric-version.js';
export { configurationResponse, type ConfigurationResponse } from './api/configurations/configuration.js';
export {
  listConfigurations,
  type ListConfigurationsQuery,
} from './api/configurations/list-configurations.js';
export {
  createConfiguration,
  type CreateConfigurationRequest,
} from './api/configurations/create-configuration.js';
export {
  updateConfiguration,
  type UpdateConfigurationRequest,
} from './api/configurations/update-configuration.js';
export { deleteConfiguration } from './api/configurations/delete-configuration.js';
export { queueResponse, type QueueResponse } from './api/queues/queue.js';
export { listQueues, type ListQueuesQuery } from './api/queues/list-queues.js';
export { createQueue, type CreateQueueRequest } from './api/queues/create-queue.js';
export { getQueue } from './api/queues/get-queue.js';
export { updateQueue, type UpdateQueueRequest } from './api/queues/update-queue.js';
export { deleteQueue } from './api/queues/delete-queue.js';
export { backfillQueue, type BackfillQueueRequest } from './api/queues/backfill-queue.js';
export { listQueueEvents, type ListQueueEventsQuery } from './api/queues/list-queue-events.js';
export { updateQueueEvent, type UpdateQueueEventRequest } from './api/queues/update-queue-event.js';
export { chartResponse, type ChartResponse } from './api/charts/chart.js';
export { listCharts, listProjectCharts } from './api/charts/list-charts.js';
export { createChart, createProjectChart, type CreateChartRequest } from './api/charts/create-chart.js';
export { getChart, getProjectChart } from './api/charts/get-chart.js';
export { updateChart, updateProjectChart, type UpdateChartRequest } from './api/charts/update-chart.js';
export { deleteChart, deleteProjectChart } from './api/charts/delete-chart.js';
export { listDeadLetters } from './api/dead-letters/list-dead-letters.js';
export { replayDeadLetters } from './api/dead-letters/replay-dead-letters.js';
