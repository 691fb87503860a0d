import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { AppError } from '@assay/errors';

/** That a project was deleted, under its id. It stays, so that what comes late is told from what belongs to a project. */
export interface ProjectDeletionFields {
  readonly deleted_at: string;
  /** When the last of what belonged to the project was removed; null: that is still going on. */
  readonly removed_at: string | null;
}
export type ProjectDeletion = Document<ProjectDeletionFields>;
export type ProjectDeletionCollection = DocumentCollection<ProjectDeletionFields>;

export const PROJECT_DELETION_COLLECTION: CollectionSpec = {
  name: 'project_deletions',
  unique: [],
  indexes: [['removed_at', 'deleted_at']],
};

/** Refuses writes to a deleted project, as its keys are refused a little later by whoever still remembers them. */
export function makeRequireProject(
  deletions: ProjectDeletionCollection,
): (projectId: string) => Promise<void> {
  return async function requireProject(projectId) {
    if (await deletions.get(projectId))
      throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
  };
}
