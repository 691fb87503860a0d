export { type ActingKey } from './acting-key.js';
export { addToQueue } from './add-to-queue.js';
export { authenticateAdministrator, type WireAdministrator } from './authenticate-administrator.js';
export { authenticatePerson, type PersonOutcome } from './authenticate-person.js';
export { authenticateKey, caller, type WireCaller } from './authenticate-key.js';
export { checkControlPlane } from './check-control-plane.js';
export {
  claimAlert,
  saveAlert,
  type AlertDelivery,
  type AlertTurn,
  type ClaimedAlert,
  type SavedAlert,
} from './claim-alert.js';
export { claimBackfill } from './claim-backfill.js';
export { claimJob, type JobClaim } from './claim-job.js';
export { claimRequest, type AcceptedRequest, type RequestClaim } from './claim-request.js';
export { createDatapoints, type WireDatapoint } from './create-datapoints.js';
export { BODY_BYTES } from './fields.js';
export { forwardEvents, type WireForwardedEvent } from './forward-events.js';
export { getEvaluatorStatus, type EvaluatorStatus } from './get-evaluator-status.js';
export { getRoutingFilters } from './get-routing-filters.js';
export { getQueueFilters, type QueueName } from './get-queue-filters.js';
export { INTERNAL_ROUTES } from './internal-routes.js';
export { leaseQueueEvent, type QueueLease, type QueueLeaseResult } from './lease-queue-event.js';
export { listAnnotationMetrics, type AnnotationQuery } from './list-annotation-metrics.js';
export { listDeletedProjects } from './list-deleted-projects.js';
export { listExports, type ExportedProject, type ExportPage } from './list-exports.js';
export { listQueueEntries, type QueueEntryPage, type QueueEntryQuery } from './list-queue-entries.js';
export { listRetentions, type ProjectRetention, type RetentionPage } from './list-retentions.js';
export { markQueueEvent } from './mark-queue-event.js';
export { type QueueCounts, type QueueEntry } from './queue-entry.js';
export {
  listDeployedMetrics,
  type DeployedMetricsPage,
  type DeployedMetricsQuery,
} from './list-deployed-metrics.js';
export { readChart, type ChartName } from './read-chart.js';
export { MAX_LISTED_SESSIONS, readRunLinks, type RunLinksPage, type RunPageQuery } from './read-run-links.js';
export { MAX_RUNS, readRuns, type RunsQuery, type RunsWithMetrics } from './read-runs.js';
export {
  recordAdministration,
  type AdministrativeAction,
  type BegunAdministration,
} from './record-administration.js';
export { recordDeletion } from './record-deletion.js';
export { removeExpired, type ExpiredEvent, type ExpiredEvents } from './remove-expired.js';
export { MODEL_REPORT_LIMITS, modelReport, reportModels, type ModelReport } from './report-models.js';
export { saveJob, type JobProgress } from './save-job.js';
export {
  completeSignIn,
  getSignInProvider,
  listProjectsOfPerson,
  type CompletedSignIn,
  type ReturnedCode,
  type SignInProvider,
} from './sign-in-people.js';
export { startBackfill, type BackfillRequest, type BackfillStart } from './start-backfill.js';
export { internalError, unauthorisedProjectsBody, type InternalError } from './unauthorised-projects.js';
