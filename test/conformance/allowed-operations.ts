/**
 * Operations by the credential that may call them. This table is written by hand, so that a change of a route's access
 * shows here.
 */

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** All that an ingestion key may do. */
export const INGESTION_KEY: readonly string[] = names(`
  createEvent createEventBatch createLenientEventBatch createModelEvent createModelEventBatch
  createSessionEventBatch createSessionTraces createWrappedEvent exportLogs exportMetrics exportTraces
  startSession startWrappedSession updateEvent updateEventByBody
`);

/** All that only the administrator may do. A key of a project, whatever its permissions, may do everything else. */
export const ADMINISTRATOR_ONLY: readonly string[] = names(`
  createAdministrator createBackup createDataPlane createProject deleteAdministrator deleteDeadLetter
  deleteDeadLetters deleteProject endDataPlane forwardSessions getDeadLetter listAdministrators
  listAuditEntries listDataPlanes listDeadLetters migrate replayDeadLetters rotateDataPlaneToken updateDataPlane updateProject
`);

/** What both the administrator and keys of a project may do. */
export const ADMINISTRATOR_OR_PROJECT: readonly string[] = names(`
  createFineGrainedApiKey createIngestionApiKey deleteApiKey listApiKeys listProjects
`);

/** All that an administrator with each of these roles may do; one with the role `admin` may do all that is for administrators. */
export const BY_ROLE: Readonly<Record<'viewer' | 'operator', readonly string[]>> = {
  viewer: names(`
    getDeadLetter listApiKeys listAuditEntries listDataPlanes listDeadLetters listProjects
  `),
  operator: names(`
    createBackup deleteDeadLetter deleteDeadLetters endDataPlane forwardSessions getDeadLetter listApiKeys
    listAuditEntries listDataPlanes listDeadLetters listProjects migrate replayDeadLetters
  `),
};

/**
 * What a key with exactly these permissions may do, besides what some of them suffice for. A key that may write events may
 * delete them as well.
 */
export const BY_PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  'alerts:read': names('getAlert listAlertHistory listAlerts'),
  'alerts:write': names('deleteAlert muteAlert testAlert'),
  'alerts:write events:read': names('createAlert updateAlert'),
  'charts:read': names('getChart getProjectChart listCharts listProjectCharts'),
  'charts:read events:read': names('getChartData getProjectChartData'),
  'charts:write': names(`
    createChart createProjectChart deleteChart deleteProjectChart updateChart updateProjectChart
  `),
  'configurations:read': names('getConfiguration listConfigurations listConfigurationsAsArray'),
  'configurations:write': names('createConfiguration deleteConfiguration updateConfiguration'),
  'datapoints:read': names('getDatapoint listDatapoints'),
  'datapoints:read events:read': names('previewDatapointBatch'),
  'datapoints:write': names('createDatapoint deleteDatapoint updateDatapoint'),
  'datapoints:write events:read': names('createDatapointBatch'),
  'datasets:read': names('getDataset listDatasets listDatasetVersions'),
  'datasets:read datapoints:read': names('listDatasetDatapoints'),
  'datasets:write': names(`
    addDatapoints createDataset deleteDataset deleteDatasetByQuery importDatapoints removeDatapoint
    removeDatapointByOldPath updateDataset updateDatasetByBody
  `),
  'events:delete': names('createDeletion deleteEvent deleteSession'),
  'events:read': names(`
    chartEvents exportEvents getDeletion getEvent getEventPayload getEventsSchema getMedia getSession
    getSessionTree getStatus getUsage listEventValues listEvents listRejections listSessions pageEvents searchEvents
  `),
  'events:read metrics:read': names('listEventEvaluations'),
  'events:write': names(`
    createDeletion deleteEvent deleteSession createEvent createEventBatch createLenientEventBatch createModelEvent
    createModelEventBatch createSessionEventBatch createSessionTraces createWrappedEvent exportLogs
    exportMetrics exportTraces startSession startWrappedSession updateEvent updateEventByBody
  `),
  'keys:read': names('listApiKeys'),
  'keys:write': names('createFineGrainedApiKey createIngestionApiKey deleteApiKey'),
  'metrics:read': names(`
    getJob getMetric listJobs listMetricDecisions listMetricVersions listMetrics listMetricsAsArray
  `),
  'metrics:read events:read': names('getMetricAgreement'),
  'metrics:write': names(`
    createMetric createMetricVersion deleteMetric deleteMetricByQuery deployMetricVersion runMetric
    runMetricByOldPath stopJob updateMetric updateMetricByBody
  `),
  'metrics:write events:read': names('tryMetric'),
  'metrics:write events:write': names('evaluateStoredEvents'),
  'projects:read': names('listProjects'),
  'projects:read charts:read configurations:read datapoints:read datasets:read metrics:read queues:read runs:read':
    names('exportDocuments'),
  'projects:read events:read metrics:read': names('exportEvaluations'),
  'projects:write charts:write configurations:write datapoints:write datasets:write metrics:write queues:write runs:write':
    names('importDocuments'),
  'projects:write events:write metrics:write': names('importEvents'),
  'queues:read': names('getQueue listQueues'),
  'queues:read events:read': names('getQueueStatistics listQueueEvents'),
  'queues:write': names('backfillQueue createQueue deleteQueue releaseQueueEvent updateQueue'),
  'queues:write events:read': names('nextQueueEvent'),
  'queues:write events:write': names('updateQueueEvent'),
  'runs:read': names(`
    compareRunResults compareRunResultsWith gateRun getRun getRunResult getRunSchema getRunSummary
    getRunsSchema listRuns
  `),
  'runs:read events:read': names(`
    compareRunDatapoints compareRunEvents compareRunEventsByQuery listRunMetrics listRunSummaries
  `),
  'runs:write': names('createRun deleteRun updateRun'),
};

/** Returns whether a key that is restricted to these permissions may call the operation. */
export function mayCall(permissions: readonly string[], operation: string): boolean {
  return Object.entries(BY_PERMISSIONS).some(
    ([needed, operations]) =>
      operations.includes(operation) && needed.split(' ').every((one) => permissions.includes(one)),
  );
}
