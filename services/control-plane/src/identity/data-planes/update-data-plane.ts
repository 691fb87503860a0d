import type { DataPlaneResponse, UpdateDataPlaneRequest } from '@assay/contracts';
import type { RequestActor } from '../../shared/operation-context.js';
import { trimmedName } from '../projects/project-document.js';
import { updateActiveDataPlane, validateProjectIds, type DataPlaneDeps } from './data-plane-deps.js';
import { toDataPlaneResponse } from './data-plane-document.js';

/**
 * Updates a data plane. Absent fields are unchanged. New projects take effect with its next call.
 * Administrator only.
 * @throws AppError `NOT_FOUND` if it does not exist or was ended, `VALIDATION_ERROR`, `CONFLICT`
 */
export function makeUpdateDataPlane(deps: DataPlaneDeps) {
  return async function updateDataPlane(
    { params, body }: { params: { data_plane_id: string }; body: UpdateDataPlaneRequest },
    actor: RequestActor,
  ): Promise<{ data_plane: DataPlaneResponse }> {
    const name = body.name === undefined ? undefined : trimmedName(body.name);
    const bound =
      body.project_ids === undefined ? undefined : await validateProjectIds(deps.projects, body.project_ids);
    const changed = await updateActiveDataPlane(deps, params.data_plane_id, (before) => ({
      ...before,
      name: name ?? before.name,
      description: body.description ?? before.description,
      project_ids: bound === undefined ? before.project_ids : bound,
      updated_at: deps.now().toISOString(),
    }));
    await deps.audit(
      { action: 'data_plane.changed', projectId: null, subjectId: changed.id, fields: Object.keys(body) },
      actor,
    );
    return { data_plane: toDataPlaneResponse(changed, deps.now()) };
  };
}
