import type { ResponseOf, CreateDataPlaneRequest, createDataPlane as route } from '@assay/contracts';
import { AppError } from '@assay/errors';
import type { RequestActor } from '../access/request-actor.js';
import { trimmedName } from '../projects/project-name.js';
import { checkedProjects, type DataPlaneDeps } from './data-plane-deps.js';
import { newDataPlaneId, newDataPlaneToken } from './data-plane-token.js';
import { toDataPlaneResponse } from './data-plane-records.js';

const MAX_DATA_PLANES = 1_000;

/**
 * Registers a data plane. Its token is shown here and never again. The route lets in the administrator only.
 * @throws AppError `VALIDATION_ERROR` for a blank name or an unknown project, `CONFLICT` when there are too many
 */
export function makeCreateDataPlane(deps: DataPlaneDeps) {
  return async function createDataPlane(
    { body }: { body: CreateDataPlaneRequest },
    asker: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const name = trimmedName(body.name);
    const project_ids = await checkedProjects(deps.projects, body.project_ids);
    if ((await deps.dataPlanes.count({})) >= MAX_DATA_PLANES)
      throw new AppError(
        'CONFLICT',
        `there are ${MAX_DATA_PLANES} data planes, which is the most that there may be`,
      );
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
      asker,
    );
    return { data_plane: toDataPlaneResponse(record, deps.now()), token };
  };
}
