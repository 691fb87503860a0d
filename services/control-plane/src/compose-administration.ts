import type { DocumentStore } from '@assay/document-store';
import type { Logger } from '@assay/runtime';
import { makeAudit } from './audit/audit.js';
import { AUDIT_ENTRY_COLLECTION, type AuditEntryFields } from './audit/audit-entry.js';
import { makeListAuditEntries } from './audit/list-audit-entries.js';
import { makePruneAuditEntries } from './audit/prune-audit-entries.js';
import { dataPlaneOperations } from './identity/data-planes/data-plane-operations.js';
import { DATA_PLANE_COLLECTION, type DataPlaneFields } from './identity/data-planes/data-plane-document.js';
import { makeIdentifyDataPlane } from './identity/data-planes/identify-data-plane.js';
import { makeAuthenticateKey } from './identity/keys/authenticate-key.js';
import { makeCreateFineGrainedApiKey } from './identity/keys/create-fine-grained-api-key.js';
import { makeCreateIngestionApiKey } from './identity/keys/create-ingestion-api-key.js';
import { makeDeleteApiKey } from './identity/keys/delete-api-key.js';
import { makeHashKey } from './identity/keys/hash-key.js';
import { makeIssueKey } from './identity/keys/issue-key.js';
import { API_KEY_COLLECTION, type ApiKeyFields } from './identity/keys/key-document.js';
import { makeListApiKeys } from './identity/keys/list-api-keys.js';
import { makeMaintenance } from './maintenance/maintenance.js';
import { makeCreateProject } from './identity/projects/create-project.js';
import { makeDeleteProject } from './identity/projects/delete-project.js';
import {
  PROJECT_DELETION_COLLECTION,
  type ProjectDeletionFields,
} from './identity/projects/project-deletion.js';
import { makeEnsureFirstProject } from './identity/projects/ensure-first-project.js';
import { makeListProjects } from './identity/projects/list-projects.js';
import { PROJECT_COLLECTION, type ProjectFields } from './identity/projects/project-document.js';
import { makeRemoveDeletedProjects } from './maintenance/remove-deleted-projects.js';
import { makeUpdateProject } from './identity/projects/update-project.js';

export interface AdministrationOptions {
  readonly documents: DocumentStore;
  readonly pepper: string;
  readonly auditRetentionDays: number;
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** How often deleted projects and old audit entries are looked for. */
const MAINTENANCE_EVERY_MS = 60_000;

/** Projects, keys, data planes and the audit trail. @throws AppError `UNAVAILABLE` when the documents cannot be reached */
export async function composeAdministration({
  documents,
  pepper,
  auditRetentionDays,
  now,
  logger,
}: AdministrationOptions) {
  const projects = await documents.collection<ProjectFields>(PROJECT_COLLECTION);
  const keys = await documents.collection<ApiKeyFields>(API_KEY_COLLECTION);
  const deletions = await documents.collection<ProjectDeletionFields>(PROJECT_DELETION_COLLECTION);
  const dataPlanes = await documents.collection<DataPlaneFields>(DATA_PLANE_COLLECTION);
  const entries = await documents.collection<AuditEntryFields>(AUDIT_ENTRY_COLLECTION);
  const audit = makeAudit({ entries, logger, now });
  const hashKey = makeHashKey(pepper);
  const collection = { documents, projects, keys, deletions, dataPlanes, entries, audit, hashKey, now };
  const removeDeletedProjects = makeRemoveDeletedProjects(collection);
  const pruneAuditEntries = makePruneAuditEntries({ entries, retentionDays: auditRetentionDays, now });
  const maintenance = makeMaintenance({
    round: async (isStopping) => {
      await removeDeletedProjects(isStopping);
      await pruneAuditEntries();
    },
    everyMs: MAINTENANCE_EVERY_MS,
    onFailure: (error) => logger.warn('clearing up has failed and is tried again', {}, error),
  });
  const deps = {
    ...collection,
    issueKey: makeIssueKey(collection),
    wakeMaintenance: () => maintenance.wake(),
  };
  const operations = {
    createProject: makeCreateProject(deps),
    listProjects: makeListProjects(deps),
    updateProject: makeUpdateProject(deps),
    deleteProject: makeDeleteProject(deps),
    createIngestionApiKey: makeCreateIngestionApiKey(deps),
    createFineGrainedApiKey: makeCreateFineGrainedApiKey(deps),
    listApiKeys: makeListApiKeys(deps),
    deleteApiKey: makeDeleteApiKey(deps),
    ...dataPlaneOperations(deps),
    listAuditEntries: makeListAuditEntries(deps),
  };
  return {
    operations,
    audit,
    deletions,
    removeDeletedProjects,
    pruneAuditEntries,
    maintenance,
    authenticate: makeAuthenticateKey(deps),
    identifyDataPlane: makeIdentifyDataPlane(deps),
    ensureFirstProject: makeEnsureFirstProject(deps),
  };
}
