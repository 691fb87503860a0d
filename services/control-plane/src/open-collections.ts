import type { DocumentStore } from '@assay/document-store';
import { ALERT_COLLECTION, type AlertFields } from './alerts/alert-document.js';
import { AUDIT_ENTRY_COLLECTION, type AuditEntryFields } from './audit/audit-entry.js';
import { CHART_COLLECTION, type ChartFields } from './charts/chart-document.js';
import {
  CONFIGURATION_COLLECTION,
  type ConfigurationFields,
} from './configurations/configuration-document.js';
import { DATAPOINT_COLLECTION, type DatapointFields } from './datasets/datapoint-document.js';
import {
  DATASET_COLLECTION,
  DATASET_MEMBER_COLLECTION,
  DATASET_VERSION_COLLECTION,
  type DatasetFields,
  type DatasetMemberFields,
  type DatasetVersionFields,
} from './datasets/dataset-document.js';
import { DELETED_EVENT_COLLECTION, type DeletedEventFields } from './events/deleted-event.js';
import { REQUEST_COLLECTION, type RequestFields } from './idempotency/claim-request.js';
import {
  ADMINISTRATOR_COLLECTION,
  type AdministratorFields,
} from './identity/administrators/administrator-document.js';
import { DATA_PLANE_COLLECTION, type DataPlaneFields } from './identity/data-planes/data-plane-document.js';
import { API_KEY_COLLECTION, type ApiKeyFields } from './identity/keys/key-document.js';
import {
  PROJECT_DELETION_COLLECTION,
  type ProjectDeletionFields,
} from './identity/projects/project-deletion.js';
import { MODEL_REPORT_COLLECTION, type ModelReportFields } from './models/model-report.js';
import { PROJECT_COLLECTION, type ProjectFields } from './identity/projects/project-document.js';
import { JOB_COLLECTION, type JobFields } from './jobs/job-document.js';
import {
  METRIC_COLLECTION,
  METRIC_VERSION_COLLECTION,
  type MetricFields,
  type MetricVersionFields,
} from './metrics/metric-document.js';
import {
  QUEUE_COLLECTION,
  QUEUE_ENTRY_COLLECTION,
  type QueueEntryFields,
  type QueueFields,
} from './queues/queue-document.js';
import { RUN_COLLECTION, type RunFields } from './runs/run-document.js';
import { SESSION_COLLECTION, type SessionFields } from './sessions/session-document.js';

/**
 * Opens every collection of the control plane. @throws AppError `UNAVAILABLE` if the document store is
 * unreachable
 */
export async function openCollections(documents: DocumentStore) {
  return {
    projects: await documents.collection<ProjectFields>(PROJECT_COLLECTION),
    keys: await documents.collection<ApiKeyFields>(API_KEY_COLLECTION),
    deletions: await documents.collection<ProjectDeletionFields>(PROJECT_DELETION_COLLECTION),
    dataPlanes: await documents.collection<DataPlaneFields>(DATA_PLANE_COLLECTION),
    administrators: await documents.collection<AdministratorFields>(ADMINISTRATOR_COLLECTION),
    auditEntries: await documents.collection<AuditEntryFields>(AUDIT_ENTRY_COLLECTION),
    datapoints: await documents.collection<DatapointFields>(DATAPOINT_COLLECTION),
    datasets: await documents.collection<DatasetFields>(DATASET_COLLECTION),
    members: await documents.collection<DatasetMemberFields>(DATASET_MEMBER_COLLECTION),
    datasetVersions: await documents.collection<DatasetVersionFields>(DATASET_VERSION_COLLECTION),
    runs: await documents.collection<RunFields>(RUN_COLLECTION),
    metrics: await documents.collection<MetricFields>(METRIC_COLLECTION),
    metricVersions: await documents.collection<MetricVersionFields>(METRIC_VERSION_COLLECTION),
    modelReports: await documents.collection<ModelReportFields>(MODEL_REPORT_COLLECTION),
    jobs: await documents.collection<JobFields>(JOB_COLLECTION),
    configurations: await documents.collection<ConfigurationFields>(CONFIGURATION_COLLECTION),
    queues: await documents.collection<QueueFields>(QUEUE_COLLECTION),
    queueEntries: await documents.collection<QueueEntryFields>(QUEUE_ENTRY_COLLECTION),
    alerts: await documents.collection<AlertFields>(ALERT_COLLECTION),
    charts: await documents.collection<ChartFields>(CHART_COLLECTION),
    sessions: await documents.collection<SessionFields>(SESSION_COLLECTION),
    deletedEvents: await documents.collection<DeletedEventFields>(DELETED_EVENT_COLLECTION),
    requests: await documents.collection<RequestFields>(REQUEST_COLLECTION),
  };
}
