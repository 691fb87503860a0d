import type { ControlPlane } from '@assay/control-plane-client';
import type { DocumentStore } from '@assay/document-store';
import type { Logger } from '@assay/runtime';
import { auditTo } from './access/audit.js';
import { composeResources } from './compose-resources.js';
import { makeForwardEvents } from './events/forward-events.js';
import { EVENT_ENTRIES, type EventEntryFields } from './events/indexed-event.js';
import { makeAuthenticateKey } from './keys/authenticate-key.js';
import { makeCreateFineGrainedApiKey } from './keys/create-fine-grained-api-key.js';
import { makeCreateIngestionApiKey } from './keys/create-ingestion-api-key.js';
import { makeDeleteApiKey } from './keys/delete-api-key.js';
import { makeHashKey } from './keys/hash-key.js';
import { makeIssueKey } from './keys/issue-key.js';
import { KEY_RECORDS, type KeyFields } from './keys/key-records.js';
import { makeListApiKeys } from './keys/list-api-keys.js';
import { makeCreateProject } from './projects/create-project.js';
import { makeDeleteProject } from './projects/delete-project.js';
import { makeEnsureFirstProject } from './projects/ensure-first-project.js';
import { makeListProjects } from './projects/list-projects.js';
import { PROJECT_RECORDS, type ProjectFields } from './projects/project-records.js';
import { makeUpdateProject } from './projects/update-project.js';
import { QUEUE_ENTRY_RECORDS, QUEUE_RECORDS, type QueueEntryFields, type QueueFields } from './queues/queue-records.js';
import { Queues } from './queues/queues-of.js';
import { queuesForDataPlane } from './queues/queues-for-data-plane.js';
import { makeRouteToQueues } from './queues/route-to-queues.js';

export interface ControlPlaneOptions {
  /** Where projects, keys and resources are kept; closed by whoever opened it. */
  readonly documents: DocumentStore;
  /** Secret under which keys are hashed, at least 32 characters, kept apart from the documents. Another pepper makes every key unknown. */
  readonly pepper: string;
  readonly now: () => Date;
  /** Receives one line for each project and key that is created, changed or ended. */
  readonly logger: Pick<Logger, 'info'>;
}

/** Plugs the operations of the control plane together. @throws AppError `UNAVAILABLE` when the documents cannot be reached */
export async function composeControlPlane(options: ControlPlaneOptions) {
  const projects = await options.documents.collection<ProjectFields>(PROJECT_RECORDS);
  const keys = await options.documents.collection<KeyFields>(KEY_RECORDS);
  const audit = auditTo(options.logger);
  const hashKey = makeHashKey(options.pepper);
  const records = { projects, keys, audit, hashKey, now: options.now };
  const deps = { ...records, issueKey: makeIssueKey(records) };
  const operations = {
    createProject: makeCreateProject(deps),
    listProjects: makeListProjects(deps),
    updateProject: makeUpdateProject(deps),
    deleteProject: makeDeleteProject(deps),
    createIngestionApiKey: makeCreateIngestionApiKey(deps),
    createFineGrainedApiKey: makeCreateFineGrainedApiKey(deps),
    listApiKeys: makeListApiKeys(deps),
    deleteApiKey: makeDeleteApiKey(deps),
    ...(await composeResources(options)),
  };
  const queues = await options.documents.collection<QueueFields>(QUEUE_RECORDS);
  const queueEntries = await options.documents.collection<QueueEntryFields>(QUEUE_ENTRY_RECORDS);
  const queueDeps = { queues, queueEntries, now: options.now };
  const controlPlane: ControlPlane = {
    authenticate: makeAuthenticateKey(deps),
    forwardEvents: makeForwardEvents({
      events: await options.documents.collection<EventEntryFields>(EVENT_ENTRIES),
      routeToQueues: makeRouteToQueues(queueDeps),
      removeFromQueues: (projectId, eventId) => new Queues(queueDeps, projectId).removeEverywhere(eventId),
    }),
    ...queuesForDataPlane(queueDeps),
    check: () => options.documents.check(),
  };
  return { operations, controlPlane, ensureFirstProject: makeEnsureFirstProject(deps) };
}

export type ControlPlaneParts = Awaited<ReturnType<typeof composeControlPlane>>;
