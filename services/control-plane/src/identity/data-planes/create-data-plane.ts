import type { ResponseOf, CreateDataPlaneRequest, createDataPlane as route } from '@assay/contracts';
import { AppError } from '@assay/errors';
import type { RequestActor } from '../../shared/operation-context.js';
import { trimmedName } from '../projects/project-document.js';
import { validateProjectIds, type DataPlaneDeps } from './data-plane-deps.js';
import { newDataPlaneId, newDataPlaneToken } from './data-plane-token.js';
import { toDataPlaneResponse } from './data-plane-document.js';

const MAX_DATA_PLANES = 1_000;

/**
 * Registers a data plane and returns its token, which is never shown again. Administrator only.
 * @throws AppError `VALIDATION_ERROR` for a blank name or an unknown project, `CONFLICT` if the maximum
 * number is registered
 */
export function makeCreateDataPlane(deps: DataPlaneDeps) {
  return async function createDataPlane(
    { body }: { body: CreateDataPlaneRequest },
    actor: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const name = trimmedName(body.name);
    const project_ids = await validateProjectIds(deps.projects, body.project_ids);
    if ((await deps.dataPlanes.count({})) >= MAX_DATA_PLANES)
      throw new AppError('CONFLICT', `there are ${MAX_DATA_PLANES} data planes, which is the maximum`);
    const id = newDataPlaneId();
    const token = newDataPlaneToken(id);
    const created_at = deps.now().toISOString();
    const record = await deps.dataPlanes.insert(id, {
      name,
      description: body.description ?? '',
      project_ids,
      hash: deps.hashKey(token),
      previous_hash: null,
      previous_until: null,
      created_at,
      updated_at: created_at,
      rotated_at: null,
      ended_at: null,
      last_seen_at: null,
    });
    await deps.audit(
      { action: 'data_plane.created', projectId: null, subjectId: id, fields: Object.keys(body) },
      actor,
    );
    return { data_plane: toDataPlaneResponse(record, deps.now()), token };
  };
}
