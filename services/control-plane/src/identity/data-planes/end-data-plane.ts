import type { DataPlaneResponse } from '@assay/contracts';
import type { RequestActor } from '../../shared/operation-context.js';
import { updateActiveDataPlane, type DataPlaneDeps } from './data-plane-deps.js';
import { toDataPlaneResponse } from './data-plane-document.js';

/**
 * Ends a data plane: its tokens become invalid immediately. The document remains. @throws AppError
 * `NOT_FOUND` if it does not exist or was ended
 */
export function makeEndDataPlane(deps: DataPlaneDeps) {
  return async function endDataPlane(
    { params }: { params: { data_plane_id: string } },
    actor: RequestActor,
  ): Promise<{ data_plane: DataPlaneResponse }> {
    const ended_at = deps.now().toISOString();
    const ended = await updateActiveDataPlane(deps, params.data_plane_id, (before) => ({
      ...before,
      ended_at,
      updated_at: ended_at,
    }));
    await deps.audit({ action: 'data_plane.ended', projectId: null, subjectId: ended.id }, actor);
    return { data_plane: toDataPlaneResponse(ended, deps.now()) };
  };
}
