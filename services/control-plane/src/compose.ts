import type { ControlPlane } from '@assay/control-plane-client';
import type { DocumentStore } from '@assay/document-store';
import type { ActiveLimits } from '@assay/domain';
import type { SyntaxChecker } from '@assay/python-runner';
import type { Logger } from '@assay/runtime';
import type { TemplateRenderer } from '@assay/templates';
import { alertsForDataPlane } from './alerts/alerts-for-data-plane.js';
import { makeAudit } from './audit/audit.js';
import { makeRecordAdministration } from './audit/record-administration.js';
import { makeRecordDeletion } from './audit/record-deletion.js';
import { auditedForDataPlane } from './audit/audited-for-data-plane.js';
import { makeBindAudited } from './audit/bind-audited.js';
import { makePruneAuditEntries } from './audit/prune-audit-entries.js';
import { datapointsForDataPlane } from './datasets/datapoints-for-data-plane.js';
import { makeForwardEvents } from './events/forward-events.js';
import { withoutDeletedProjects } from './events/without-deleted-projects.js';
import { controlPlaneRoutes } from './http/routes.js';
import { makeClaimRequest } from './idempotency/claim-request.js';
import { makeAuthenticateAdministrator } from './identity/administrators/authenticate-administrator.js';
import { makeIdentifyDataPlane } from './identity/data-planes/identify-data-plane.js';
import { makeAuthenticateKey } from './identity/keys/authenticate-key.js';
import { makeConsoleLogin } from './identity/keys/console-login.js';
import { makeHashKey } from './identity/keys/hash-key.js';
import { makeIssueKey } from './identity/keys/issue-key.js';
import { makePeople, type IdentityProvider } from './identity/people/people.js';
import { makeEnsureFirstProject } from './identity/projects/ensure-first-project.js';
import { makeRequireProject } from './identity/projects/project-deletion.js';
import { makeMaintenance } from './maintenance/maintenance.js';
import { makeRemoveDeletedProjects } from './maintenance/remove-deleted-projects.js';
import { makeRemoveEventIndex } from './maintenance/remove-event-index.js';
import { openCollections } from './open-collections.js';
import { QueueEntries } from './queues/queue-entries.js';
import { queuesForDataPlane } from './queues/queues-for-data-plane.js';
import { makeRouteToQueues } from './queues/route-to-queues.js';
import { chartForDataPlane } from './charts/chart-for-data-plane.js';
import { makeListExports } from './retention/list-exports.js';
import { makeListRetentions } from './retention/list-retentions.js';
import { makeRemoveExpired } from './retention/remove-expired.js';
import { makeRemoveExpiredSessions } from './retention/remove-expired-sessions.js';
import { directRunRoutes } from './runs/routes.js';
import { runsForDataPlane } from './runs/runs-for-data-plane.js';
import { jobsForDataPlane } from './jobs/jobs-for-data-plane.js';
import type { ModelWarnings } from './metrics/check-criteria.js';
import { makeReportModels } from './models/model-report.js';
import { makeReportedWarnings } from './models/reported-warnings.js';
import { makeDeployedMetrics } from './metrics/deployed-metrics.js';
import { makeRoutingFilters } from './queues/routing-filters.js';
import { makeSessionsOfRun } from './runs/sessions-of-run.js';
import { redactedSessionRoutes } from './sessions/routes.js';
import { redactedUsageRoutes } from './usage/routes.js';
import { makeInTurn } from './shared/in-turn.js';
import { makeNextPosition } from './shared/list-position.js';

export interface ControlPlaneOptions {
  /** Store of all documents. The caller closes it. */
  readonly documents: DocumentStore;
  /**
   * Secret of the key hashes, at least 32 characters, stored apart from the documents. A different pepper
   * invalidates every key.
   */
  readonly pepper: string;
  /** Retention of audit entries, a year by default. */
  readonly auditRetentionDays?: number;
  /** Retention of events of projects without one of their own, in days; absent: for ever. */
  readonly retentionDays?: number;
  /** Limits of projects without their own. */
  readonly projectLimits?: ActiveLimits;
  /** Time between the evaluations of an alert, in milliseconds; a minute by default. */
  readonly alertIntervalMs?: number;
  readonly now: () => Date;
  /** Compiles the code of metrics when they are written; absent: it is not checked. */
  readonly pythonSyntax?: Pick<SyntaxChecker, 'check'>;
  /** Warns of metrics that cannot be evaluated; absent: by what evaluators report. */
  readonly modelWarnings?: ModelWarnings;
  /** Parses the templates of metrics when they are written. The caller closes it. */
  readonly templates: Pick<TemplateRenderer, 'check'>;
  /** Whose tokens authenticate people; absent: none. */
  readonly identityProvider?: IdentityProvider | undefined;
  /** Receives one line for each change of a project, key or data plane. */
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const YEAR_DAYS = 365;
const MINUTE_MS = 60_000;
const MAINTENANCE_INTERVAL_MS = MINUTE_MS;

/**
 * Composes the operations of the control plane. @throws AppError `UNAVAILABLE` if the document store is
 * unreachable
 */
export async function composeControlPlane(options: ControlPlaneOptions) {
  const deps = await composeDeps(options);
  const parts = composeMaintenance(deps, options);
  const wakeMaintenance = () => parts.maintenance.wake();
  return {
    ...parts,
    controlPlane: composeForDataPlanes(deps, options),
    identifyDataPlane: makeIdentifyDataPlane(deps),
    ensureFirstProject: makeEnsureFirstProject(deps),
    consoleLogin: makeConsoleLogin(deps),
    deps: { ...deps, wakeMaintenance },
    routes: controlPlaneRoutes({ ...deps, wakeMaintenance }),
    // Routes of the data plane that the control plane serves, with less, when clients call it directly.
    directRoutes: [
      ...redactedSessionRoutes({ ...deps, sessionsOfRun: makeSessionsOfRun(deps) }),
      ...redactedUsageRoutes(deps),
      ...directRunRoutes(deps),
    ],
  };
}

export type ControlPlaneParts = Awaited<ReturnType<typeof composeControlPlane>>;

async function composeDeps(options: ControlPlaneOptions) {
  const {
    documents,
    pepper,
    now,
    logger,
    templates,
    pythonSyntax,
    modelWarnings,
    retentionDays,
    projectLimits,
    alertIntervalMs = MINUTE_MS,
  } = options;
  const collections = await openCollections(documents);
  const audit = makeAudit({ ...collections, logger, now });
  const hashKey = makeHashKey(pepper);
  return {
    ...collections,
    documents,
    now,
    alertIntervalMs,
    ...(retentionDays !== undefined && { retentionDays }),
    ...(projectLimits && { projectLimits }),
    templates,
    ...(pythonSyntax && { pythonSyntax }),
    modelWarnings: modelWarnings ?? makeReportedWarnings({ ...collections, now }),
    audit,
    hashKey,
    issueKey: makeIssueKey({ ...collections, hashKey, audit, now }),
    nextPosition: makeNextPosition(now),
    inTurn: makeInTurn(),
    bindAudited: makeBindAudited({ audit, requireProject: makeRequireProject(collections.deletions) }),
  };
}

type Deps = Awaited<ReturnType<typeof composeDeps>>;

function composeMaintenance(deps: Deps, { auditRetentionDays = YEAR_DAYS, logger }: ControlPlaneOptions) {
  const removeDeletedProjects = makeRemoveDeletedProjects(deps);
  const removeEventIndex = makeRemoveEventIndex(deps);
  const pruneAuditEntries = makePruneAuditEntries({ ...deps, retentionDays: auditRetentionDays });
  const removeExpiredSessions = makeRemoveExpiredSessions(deps);
  const maintenance = makeMaintenance({
    round: async (isStopping) => {
      await removeDeletedProjects(isStopping);
      await pruneAuditEntries();
      await removeExpiredSessions(isStopping);
      await removeEventIndex(isStopping);
    },
    everyMs: MAINTENANCE_INTERVAL_MS,
    onFailure: (error) => logger.warn('maintenance failed, retrying at the next interval', {}, error),
  });
  return { maintenance, removeDeletedProjects, removeEventIndex, pruneAuditEntries, removeExpiredSessions };
}

/** Composes the interface that data planes use. */
function composeForDataPlanes(
  deps: Deps,
  { identityProvider }: Pick<ControlPlaneOptions, 'identityProvider'>,
): ControlPlane {
  const forDataPlanes = { ...queuesForDataPlane(deps), ...datapointsForDataPlane(deps) };
  const removeFromQueues = (projectId: string, eventIds: readonly string[]) =>
    new QueueEntries(deps, projectId).removeEverywhere(eventIds);
  const routeToQueues = makeRouteToQueues(deps);
  const forwardEvents = makeForwardEvents({ ...deps, routeToQueues, removeFromQueues });
  const audited = auditedForDataPlane(forDataPlanes, deps.audit);
  return {
    authenticate: makeAuthenticateKey(deps),
    authenticateAdministrator: makeAuthenticateAdministrator(deps),
    ...makePeople(deps, identityProvider),
    ...forDataPlanes,
    ...runsForDataPlane(deps),
    ...chartForDataPlane(deps),
    ...alertsForDataPlane(deps),
    routingFilters: makeRoutingFilters(deps),
    deployedMetrics: makeDeployedMetrics(deps),
    ...jobsForDataPlane(deps),
    reportModels: makeReportModels(deps),
    ...withoutDeletedProjects({ forwardEvents, ...audited }, deps.deletions),
    claimRequest: makeClaimRequest(deps.requests),
    deletedProjects: async (projectIds) => (await deps.deletions.getAll(projectIds)).map(({ id }) => id),
    retentions: makeListRetentions(deps),
    exports: makeListExports(deps),
    removeExpired: makeRemoveExpired({ ...deps, removeFromQueues }),
    recordDeletion: makeRecordDeletion(deps),
    recordAdministration: makeRecordAdministration(deps),
    check: () => deps.documents.check(),
  };
}
