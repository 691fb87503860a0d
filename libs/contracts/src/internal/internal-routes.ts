import type { Route } from '../route.js';
import { addToQueue } from './add-to-queue.js';
import { authenticateAdministrator } from './authenticate-administrator.js';
import { authenticateKey } from './authenticate-key.js';
import { authenticatePerson } from './authenticate-person.js';
import { checkControlPlane } from './check-control-plane.js';
import { claimAlert, saveAlert } from './claim-alert.js';
import { claimBackfill } from './claim-backfill.js';
import { claimJob } from './claim-job.js';
import { claimRequest } from './claim-request.js';
import { createDatapoints } from './create-datapoints.js';
import { forwardEvents } from './forward-events.js';
import { getEvaluatorStatus } from './get-evaluator-status.js';
import { getQueueFilters } from './get-queue-filters.js';
import { getRoutingFilters } from './get-routing-filters.js';
import { leaseQueueEvent } from './lease-queue-event.js';
import { listAnnotationMetrics } from './list-annotation-metrics.js';
import { listDeployedMetrics } from './list-deployed-metrics.js';
import { listDeletedProjects } from './list-deleted-projects.js';
import { listExports } from './list-exports.js';
import { listQueueEntries } from './list-queue-entries.js';
import { listRetentions } from './list-retentions.js';
import { markQueueEvent } from './mark-queue-event.js';
import { readChart } from './read-chart.js';
import { readRunLinks } from './read-run-links.js';
import { readRuns } from './read-runs.js';
import { recordAdministration } from './record-administration.js';
import { recordDeletion } from './record-deletion.js';
import { removeExpired } from './remove-expired.js';
import { reportModels } from './report-models.js';
import { saveJob } from './save-job.js';
import { completeSignIn, getSignInProvider, listProjectsOfPerson } from './sign-in-people.js';
import { startBackfill } from './start-backfill.js';

/** Every route that data planes call. They are no part of the public API: no document lists them. */
export const INTERNAL_ROUTES: readonly Route[] = [
  authenticateAdministrator,
  authenticateKey,
  authenticatePerson,
  checkControlPlane,
  claimAlert,
  saveAlert,
  claimBackfill,
  claimJob,
  claimRequest,
  completeSignIn,
  createDatapoints,
  forwardEvents,
  addToQueue,
  getEvaluatorStatus,
  getQueueFilters,
  getRoutingFilters,
  getSignInProvider,
  leaseQueueEvent,
  listAnnotationMetrics,
  listDeletedProjects,
  listDeployedMetrics,
  listExports,
  listProjectsOfPerson,
  listQueueEntries,
  listRetentions,
  markQueueEvent,
  readChart,
  readRunLinks,
  readRuns,
  recordAdministration,
  recordDeletion,
  removeExpired,
  reportModels,
  saveJob,
  startBackfill,
];
