import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { AppError } from '@assay/errors';

/**
 * Record of a deleted project, stored under the project's id. It is permanent, so that late writes are
 * recognised.
 */
export interface ProjectDeletionFields {
  readonly deleted_at: string;
  /** When the last data of the project was removed; null while the removal is in progress. */
  readonly removed_at: string | null;
}
export type ProjectDeletion = Document<ProjectDeletionFields>;
export type ProjectDeletionCollection = DocumentCollection<ProjectDeletionFields>;

export const PROJECT_DELETION_COLLECTION: CollectionSpec = {
  name: 'project_deletions',
  unique: [],
  indexes: [['removed_at', 'deleted_at']],
};

/** Returns a check that rejects writes to a deleted project before its keys have expired from all caches. */
export function makeRequireProject(
  deletions: ProjectDeletionCollection,
): (projectId: string) => Promise<void> {
  return async function requireProject(projectId) {
    if (await deletions.get(projectId))
      throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
  };
}
