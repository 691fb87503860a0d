import type { AnswerOf, getDatapoint as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { Datasets } from '../datasets/datasets-of.js';
import type { Asking } from '../records/asking.js';
import { RecordsInProject } from '../records/records-in-project.js';
import type { DatapointDeps } from './datapoint-deps.js';
import { withLinkedDatasets } from './linked-datasets.js';

/** The datapoint, as a list of one. @throws AppError `NOT_FOUND` */
export function makeGetDatapoint(deps: DatapointDeps) {
  return async function getDatapoint(
    { params }: { params: { datapoint_id: string } },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const datapoint = await new RecordsInProject(deps.datapoints, caller.projectId).get(params.datapoint_id);
    if (!datapoint) throw notFound('datapoint not found');
    return { datapoint: await withLinkedDatasets(new Datasets(deps, caller.projectId), [datapoint]) };
  };
}
