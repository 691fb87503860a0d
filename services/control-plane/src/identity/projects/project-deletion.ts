import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { AppError } from '@assay/errors';

/** That a project was deleted, under its id. It stays, so that what comes late is told from what belongs to a project. */
export interface DeletionFields {
  readonly deleted_at: string;
  /** When the last of what belonged to the project was removed; null: that is still going on. */
  readonly removed_at: string | null;
}
export type Deletion = Document<DeletionFields>;
export type DeletionRecords = DocumentCollection<DeletionFields>;

export const DELETION_RECORDS: CollectionSpec = {
  name: 'project_deletions',
  unique: [],
  indexes: [['removed_at', 'deleted_at']],
};

/** Refuses writes to a deleted project, as its keys are refused a little later by whoever still remembers them. */
export function makeRequireProject(deletions: DeletionRecords): (projectId: string) => Promise<void> {
  return async function requireProject(projectId) {
    if (await deletions.get(projectId))
      throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
  };
}
