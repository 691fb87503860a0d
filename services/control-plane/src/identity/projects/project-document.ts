import { AppError, validationError } from '@assay/errors';
import type { CreateProjectRequest, ProjectResponse, ProjectType } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';

/** Project. Events and resources refer to it by id, so that its name may change. */
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
  const { id, name, description = '', type, created_at, updated_at } = project;
  return {
    id,
    name,
    description,
    ...(type && { type }),
    org_id: ORGANISATION_ID,
    created_at,
    updated_at,
  };
}

/** Returns the document of a new project. @throws AppError `VALIDATION_ERROR` if the name is blank */
export function newProject({ name, description, type }: CreateProjectRequest, now: Date): ProjectFields {
  const createdAt = now.toISOString();
  return { name: trimmedName(name), description, type, created_at: createdAt, updated_at: createdAt };
}

/** Returns the name without surrounding white space. @throws AppError `VALIDATION_ERROR` if it is blank */
export function trimmedName(name: string, field = 'name'): string {
  const trimmed = name.trim();
  if (trimmed === '') throw validationError(`${field} must not be blank`);
  return trimmed;
}

/** Runs a write that fails if the name is taken. @throws AppError `CONFLICT` with the message of the API */
export async function withFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'CONFLICT') throw cause;
    throw new AppError('CONFLICT', 'another project has this name', { cause });
  }
}
