import type {
  ResponseOf,
  RotateDataPlaneTokenRequest,
  rotateDataPlaneToken as route,
} from '@assay/contracts';
import type { RequestActor } from '../access/request-actor.js';
import { changeDataPlane, type DataPlaneDeps } from './data-plane-deps.js';
import { newDataPlaneToken } from './data-plane-token.js';
import { toDataPlaneResponse, type DataPlaneRecord } from './data-plane-records.js';

/**
 * Gives a data plane another token, shown here and never again. The one before works for `keep_seconds` more; any older one ends now.
 * The route lets in the administrator only. @throws AppError `NOT_FOUND` when there is none or it was ended, `CONFLICT`
 */
export function makeRotateDataPlaneToken(deps: DataPlaneDeps) {
  return async function rotateDataPlaneToken(
    { params, body }: { params: { data_plane_id: string }; body: RotateDataPlaneTokenRequest },
    asker: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const token = newDataPlaneToken(params.data_plane_id);
    const hash = deps.hashKey(token);
    const rotate = (before: DataPlaneRecord) => rotated(before, hash, body.keep_seconds ?? 0, deps.now());
    const changed = await changeDataPlane(deps, params.data_plane_id, rotate);
    await deps.audit(
      { action: 'data_plane.rotated', projectId: null, subjectId: changed.id, fields: Object.keys(body) },
      asker,
    );
    return { data_plane: toDataPlaneResponse(changed, deps.now()), token };
  };
}

function rotated(before: DataPlaneRecord, hash: string, keepSeconds: number, now: Date): DataPlaneRecord {
  const rotated_at = now.toISOString();
  const times = { rotated_at, updated_at: rotated_at };
  if (keepSeconds === 0) return { ...before, hash, previous_hash: null, previous_until: null, ...times };
  const previous_until = new Date(now.getTime() + keepSeconds * 1_000).toISOString();
  return { ...before, hash, previous_hash: before.hash, previous_until, ...times };
}
