import type { DocumentCollection, DocumentStore } from '@assay/document-store';
import type { Audit } from '../audit/audit.js';
import type { ProjectDeletion, ProjectDeletionCollection } from '../identity/projects/project-deletion.js';
import { OWNED_COLLECTIONS, type OwnedCollection } from './owned-collections.js';
import type { ProjectCollection } from '../identity/projects/project-document.js';

const BATCH_SIZE = 500;
const MAX_PROJECTS = 100;
/**
 * Requests authenticated before the deletion may write during this time; processes cache keys for 30 seconds.
 * Another round removes what they write, so a deletion is complete only after a round that began later.
 */
const SETTLE_MS = 120_000;

export interface RemovalDeps {
  readonly documents: DocumentStore;
  readonly projects: ProjectCollection;
  readonly deletions: ProjectDeletionCollection;
  readonly audit: Audit;
  readonly now: () => Date;
}

/**
 * Removes the data of deleted projects in batches of 500 documents, until `isStopping`. Every batch is
 * idempotent, also across processes, so that the next round continues an interrupted one.
 */
export type RemoveDeletedProjects = (isStopping?: () => boolean) => Promise<void>;

export function makeRemoveDeletedProjects(deps: RemovalDeps): RemoveDeletedProjects {
  return async function removeDeletedProjects(isStopping = () => false) {
    const pending = await deps.deletions.list({
      equals: { removed_at: null },
      orderBy: 'deleted_at',
      limit: MAX_PROJECTS,
    });
    for (const deletion of pending) {
      const startedAt = deps.now();
      // The process may have ended after writing the deletion record.
      await deps.projects.delete(deletion.id);
      for (const owned of OWNED_COLLECTIONS) await removeFrom(deps.documents, owned, deletion.id, isStopping);
      if (isStopping()) return;
      if (startedAt.getTime() - Date.parse(deletion.deleted_at) >= SETTLE_MS) await complete(deps, deletion);
    }
  };
}

async function removeFrom(
  documents: DocumentStore,
  owned: OwnedCollection,
  projectId: string,
  isStopping: () => boolean,
): Promise<void> {
  const collection: DocumentCollection<object> = await documents.collection(owned.spec);
  for (const { equals, orderBy } of owned.queries) {
    while (!isStopping()) {
      const found = await collection.list({
        equals: { project_id: projectId, ...equals },
        orderBy,
        limit: BATCH_SIZE,
      });
      await collection.deleteAll(found.map(({ id }) => id));
      if (found.length < BATCH_SIZE) break;
    }
  }
}

async function complete({ deletions, audit, now }: RemovalDeps, deletion: ProjectDeletion): Promise<void> {
  const completed = await deletions.replace({ ...deletion, removed_at: now().toISOString() });
  if (completed)
    await audit({ action: 'project.removed', projectId: deletion.id, subjectId: deletion.id }, 'process');
}
