import type { ProjectResponse, ProjectType } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';

/** A project as it is stored; its events and resources name it by id, so that its name may change. */
export interface ProjectFields {
  readonly name: string;
  readonly description?: string;
  readonly type?: ProjectType;
  readonly created_at: string;
  readonly updated_at: string;
}
export type Project = Document<ProjectFields>;
export type ProjectCollection = DocumentCollection<ProjectFields>;

export const PROJECT_COLLECTION: CollectionSpec = { name: 'projects', unique: [['name']], indexes: [] };

/** One deployment serves one organisation. */
const ORGANISATION_ID = 'default';

export function toProjectResponse(project: Project): ProjectResponse {
  const { id, name, description, type, created_at, updated_at } = project;
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    ...(type && { type }),
    org_id: ORGANISATION_ID,
    created_at,
    updated_at,
  };
}
