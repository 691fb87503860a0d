import type { ControlPlane } from '@assay/control-plane-client';
import { AppError } from '@assay/errors';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import { withinSize } from '../shared/within-size.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';

/**
 * Stores the datapoints that the data plane creates from events. They are stored before they are added to the
 * dataset, so that it never lists a missing one.
 */
export function datapointsForDataPlane(deps: DatapointDeps): Pick<ControlPlane, 'createDatapoints'> {
  return {
    createDatapoints: async ({ projectId, datasetId }, datapoints) => {
      const datasets = new DatasetRepository(deps, projectId);
      if (datasetId !== undefined && !(await datasets.collection.get(datasetId))) return false;
      const created_at = deps.now().toISOString();
      const times = { created_at, updated_at: created_at };
      const collection = new ProjectScopedCollection(deps.datapoints, projectId);
      const fresh = datapoints.map(({ id, ...content }) => ({
        id,
        fields: { project_id: projectId, ...withinSize('datapoint', content), ...times },
      }));
      await collection.insertMissing(fresh);
      return datasetId === undefined || datapoints.length === 0 || linked(datasets, datasetId, fresh);
    },
  };
}

/** Returns false if the dataset was deleted concurrently. */
async function linked(
  datasets: DatasetRepository,
  datasetId: string,
  datapoints: readonly { readonly id: string }[],
): Promise<boolean> {
  try {
    await datasets.link(
      datasetId,
      datapoints.map(({ id }) => id),
    );
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}
