import type { Dataset } from '../datasets/dataset-records.js';
import type { Datasets } from '../datasets/datasets-of.js';
import { inBatches } from '../records/in-batches.js';
import { answeredDatapoint, type Datapoint } from './datapoint-records.js';

/** Which datasets hold a datapoint: of the lists that name it, those that a dataset names. */
export function makeLinkedDatasets(datasets: Datasets): (datapointId: string) => Promise<string[]> {
  const known = new Map<string, Promise<Dataset | undefined>>();
  const datasetOf = (id: string) => {
    const found = known.get(id) ?? datasets.records.get(id);
    known.set(id, found);
    return found;
  };
  return async function linkedDatasets(datapointId) {
    const places = await datasets.members.of(datapointId);
    const current = await inBatches(places, async ({ dataset_id, list_id }) => {
      return (await datasetOf(dataset_id))?.list_id === list_id ? [dataset_id] : [];
    });
    return current.flat().sort();
  };
}

/** Datapoints as they are answered, with the datasets that hold them. */
export function withLinkedDatasets(datasets: Datasets, datapoints: readonly Datapoint[]) {
  const linkedDatasets = makeLinkedDatasets(datasets);
  return inBatches(datapoints, async (datapoint) => answeredDatapoint(datapoint, await linkedDatasets(datapoint.id)));
}
