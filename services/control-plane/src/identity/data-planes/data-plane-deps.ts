import { notFound, validationError } from '@assay/errors';
import { updateWithRetry } from '../../shared/update-with-retry.js';
import type { Audit } from '../../audit/audit.js';
import type { HashKey } from '../keys/hash-key.js';
import type { ProjectCollection } from '../projects/project-document.js';
import type { DataPlane, DataPlaneCollection } from './data-plane-document.js';

export interface DataPlaneDeps {
  readonly dataPlanes: DataPlaneCollection;
  readonly projects: ProjectCollection;
  readonly hashKey: HashKey;
  readonly audit: Audit;
  readonly now: () => Date;
}

/** Returns the distinct ids. @throws AppError `VALIDATION_ERROR` if a project does not exist */
export async function validateProjectIds(
  projects: ProjectCollection,
  ids: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (ids === null) return null;
  const distinct = [...new Set(ids)];
  for (const id of distinct)
    if (!(await projects.get(id))) throw validationError('project_ids names a project that does not exist');
  return distinct;
}

/** Updates a data plane that was not ended. @throws AppError `NOT_FOUND`, `CONFLICT` */
export async function updateActiveDataPlane(
  { dataPlanes }: Pick<DataPlaneDeps, 'dataPlanes'>,
  id: string,
  change: (before: DataPlane) => DataPlane,
): Promise<DataPlane> {
  const find = async () => {
    const found = await dataPlanes.get(id);
    return found?.ended_at === null ? found : undefined;
  };
  const changed = await updateWithRetry(dataPlanes, find, change);
  if (!changed) throw notFound('data plane not found');
  return changed;
}
