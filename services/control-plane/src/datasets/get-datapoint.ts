import type { ResponseOf, getDatapoint as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { withLinkedDatasets } from './linked-datasets.js';

/** Returns a datapoint as a list of one. @throws AppError `NOT_FOUND` */
export function makeGetDatapoint(deps: DatapointDeps) {
  return async function getDatapoint(
    { params }: { params: { datapoint_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datapoint = await new ProjectScopedCollection(deps.datapoints, caller.projectId).get(
      params.datapoint_id,
    );
    if (!datapoint) throw notFound('datapoint not found');
    return {
      datapoint: await withLinkedDatasets(new DatasetRepository(deps, caller.projectId), [datapoint]),
    };
  };
}
