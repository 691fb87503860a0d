import type {
  ResponseOf,
  RotateDataPlaneTokenRequest,
  rotateDataPlaneToken as route,
} from '@assay/contracts';
import type { RequestActor } from '../../shared/operation-context.js';
import { updateActiveDataPlane, type DataPlaneDeps } from './data-plane-deps.js';
import { newDataPlaneToken } from './data-plane-token.js';
import { toDataPlaneResponse, type DataPlane } from './data-plane-document.js';

/**
 * Replaces the token of a data plane and returns the new one, which is never shown again. The previous token
 * remains valid for `keep_seconds`; older ones become invalid immediately. Administrator only.
 * @throws AppError `NOT_FOUND` if the data plane does not exist or was ended, `CONFLICT`
 */
export function makeRotateDataPlaneToken(deps: DataPlaneDeps) {
  return async function rotateDataPlaneToken(
    { params, body }: { params: { data_plane_id: string }; body: RotateDataPlaneTokenRequest },
    actor: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const token = newDataPlaneToken(params.data_plane_id);
    const hash = deps.hashKey(token);
    const rotate = (before: DataPlane) => rotated(before, hash, body.keep_seconds ?? 0, deps.now());
    const changed = await updateActiveDataPlane(deps, params.data_plane_id, rotate);
    await deps.audit(
      { action: 'data_plane.rotated', projectId: null, subjectId: changed.id, fields: Object.keys(body) },
      actor,
    );
    return { data_plane: toDataPlaneResponse(changed, deps.now()), token };
  };
}

function rotated(before: DataPlane, hash: string, keepSeconds: number, now: Date): DataPlane {
  const rotated_at = now.toISOString();
  const times = { rotated_at, updated_at: rotated_at };
  if (keepSeconds === 0) return { ...before, hash, previous_hash: null, previous_until: null, ...times };
  const previous_until = new Date(now.getTime() + keepSeconds * 1_000).toISOString();
  return { ...before, hash, previous_hash: before.hash, previous_until, ...times };
}
