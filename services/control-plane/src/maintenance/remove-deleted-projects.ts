import type { DocumentCollection, DocumentStore } from '@assay/document-store';
import type { Audit } from '../audit/audit.js';
import type { ProjectDeletion, ProjectDeletionCollection } from '../identity/projects/project-deletion.js';
import { OWNED_COLLECTIONS, type OwnedCollection } from './owned-collections.js';
import type { ProjectCollection } from '../identity/projects/project-document.js';

const STEP = 500;
const MAX_PROJECTS = 100;
/**
 * Requests that were let in before the deletion may still write for so long, and processes remember keys for 30 seconds. What they leave is found by
 * another round, so a deletion is over only when a round that began later has found everything gone.
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
 * One round over the deleted projects that are not over yet: removes what belongs to them, 500 documents at a step, until `isStopping`. Each step may
 * be done again, also by another process, so a round that was broken off is taken up by the next.
 */
export type RemoveDeletedProjects = (isStopping?: () => boolean) => Promise<void>;

export function makeRemoveDeletedProjects(deps: RemovalDeps): RemoveDeletedProjects {
  return async function removeDeletedProjects(isStopping = () => false) {
    const open = await deps.deletions.list({
      equals: { removed_at: null },
      orderBy: 'deleted_at',
      limit: MAX_PROJECTS,
    });
    for (const deletion of open) {
      const beganAt = deps.now();
      // The process may have ended between the mark and this.
      await deps.projects.delete(deletion.id);
      for (const owned of OWNED_COLLECTIONS) await removeFrom(deps.documents, owned, deletion.id, isStopping);
      if (isStopping()) return;
      if (beganAt.getTime() - Date.parse(deletion.deleted_at) >= SETTLE_MS) await close(deps, deletion);
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
        limit: STEP,
      });
      await collection.deleteAll(found.map(({ id }) => id));
      if (found.length < STEP) break;
    }
  }
}

async function close({ deletions, audit, now }: RemovalDeps, deletion: ProjectDeletion): Promise<void> {
  const closed = await deletions.replace({ ...deletion, removed_at: now().toISOString() });
  if (closed)
    await audit({ action: 'project.removed', projectId: deletion.id, subjectId: deletion.id }, 'process');
}
