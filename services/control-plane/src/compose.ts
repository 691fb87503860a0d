import type { ControlPlane } from '@assay/control-plane-client';
import type { DocumentStore } from '@assay/document-store';
import type { Logger } from '@assay/runtime';
import { auditedForDataPlane } from './audit/audited-for-data-plane.js';
import { makeBindAudited } from './audit/bind-audited.js';
import { composeAdministration } from './compose-administration.js';
import { composeResources } from './compose-resources.js';
import { makeForwardEvents } from './events/forward-events.js';
import { EVENT_ENTRY_COLLECTION, type EventEntryFields } from './events/indexed-event.js';
import { withoutDeletedProjects } from './events/without-deleted-projects.js';
import { makeRequireProject } from './identity/projects/project-deletion.js';
import { QueueEntries } from './queues/queue-entries.js';
import { makeRouteToQueues } from './queues/route-to-queues.js';
import { makeClaimRequest, REQUEST_COLLECTION, type RequestFields } from './idempotency/claim-request.js';

export interface ControlPlaneOptions {
  /** Where projects, keys and resources are kept; closed by whoever opened it. */
  readonly documents: DocumentStore;
  /** Secret under which keys are hashed, at least 32 characters, kept apart from the documents. Another pepper makes every key unknown. */
  readonly pepper: string;
  /** How long entries of the audit trail are kept; a year when absent. */
  readonly auditRetentionDays?: number;
  readonly now: () => Date;
  /** Receives one line for each project, key and data plane that is created, changed or ended. */
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const YEAR_DAYS = 365;

/** Plugs the operations of the control plane together. @throws AppError `UNAVAILABLE` when the documents cannot be reached */
export async function composeControlPlane(options: ControlPlaneOptions) {
  const { documents } = options;
  const administration = await composeAdministration({ auditRetentionDays: YEAR_DAYS, ...options });
  const { audit, deletions, authenticate, operations, ...others } = administration;
  const resources = await composeResources(options);
  const { queueDeps } = resources;
  const forwardEvents = makeForwardEvents({
    events: await documents.collection<EventEntryFields>(EVENT_ENTRY_COLLECTION),
    routeToQueues: makeRouteToQueues(queueDeps),
    removeFromQueues: (projectId, eventId) =>
      new QueueEntries(queueDeps, projectId).removeEverywhere(eventId),
  });
  const written = auditedForDataPlane(resources.forDataPlane, audit);
  const controlPlane: ControlPlane = {
    authenticate,
    ...resources.forDataPlane,
    ...withoutDeletedProjects({ forwardEvents, ...written }, deletions),
    claimRequest: makeClaimRequest(await documents.collection<RequestFields>(REQUEST_COLLECTION)),
    check: () => documents.check(),
  };
  return {
    ...others,
    controlPlane,
    operations: { ...operations, ...resources.operations },
    bindAudited: makeBindAudited({ audit, requireProject: makeRequireProject(deletions) }),
  };
}

export type ControlPlaneParts = Awaited<ReturnType<typeof composeControlPlane>>;
