import { AppError, validationError } from '@assay/errors';
import type { IngestLimits, Retention } from '@assay/domain';
import type {
  CreateProjectRequest,
  ProjectExportSetting,
  ProjectResponse,
  ProjectType,
  UpdateProjectRequest,
} from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';

/** Project. Events and resources refer to it by id, so that its name may change. */
export interface ProjectFields {
  readonly name: string;
  readonly description?: string;
  readonly type?: ProjectType;
  /** Days by type of events; absent: as the installation. */
  readonly retention?: Retention;
  /** Whether events that a run or dataset names are kept beyond the retention; absent: they are not. */
  readonly keep_referenced?: boolean;
  /** How much may be sent; absent: as the installation. */
  readonly limits?: IngestLimits;
  /** Export to an object store; absent: there is none. */
  readonly export?: ProjectExportSetting;
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
    ...bounds(project),
    ...(project.export && { export: project.export }),
    org_id: ORGANISATION_ID,
    created_at,
    updated_at,
  };
}

/** Returns the document of a new project. @throws AppError `VALIDATION_ERROR` if the name is blank */
export function newProject(
  { name, description, type, export: exported, ...others }: CreateProjectRequest,
  now: Date,
): ProjectFields {
  const createdAt = now.toISOString();
  return {
    ...{ name: trimmedName(name), description, type },
    ...bounds(others),
    ...exportOf(exported, undefined, now),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** Returns those of the bounds of a project that are set. */
export function bounds({
  retention,
  keep_referenced,
  limits,
}: Pick<UpdateProjectRequest, 'retention' | 'keep_referenced' | 'limits'>) {
  return {
    ...(retention && { retention }),
    ...(keep_referenced !== undefined && { keep_referenced }),
    ...(limits && { limits }),
  };
}

/** Returns the export that a request leaves. It begins with the hour in which it is switched on, and a change of the format keeps that. */
export function exportOf(
  sent: UpdateProjectRequest['export'],
  present: ProjectExportSetting | undefined,
  now: Date,
): Pick<ProjectFields, 'export'> {
  if (sent === undefined) return present ? { export: present } : {};
  if (sent === null) return {};
  const hour = new Date(now);
  hour.setUTCMinutes(0, 0, 0);
  return { export: { format: sent.format, from: present?.from ?? hour.toISOString() } };
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
