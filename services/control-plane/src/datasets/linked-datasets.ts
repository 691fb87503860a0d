import type { DatasetRepository } from './dataset-repository.js';
import { toDatapointResponse, type Datapoint } from './datapoint-document.js';

/** Which datasets hold each of these datapoints: of the lists that name it, those that a dataset names. In the order of their ids. */
export async function linkedDatasets(
  datasets: DatasetRepository,
  datapointIds: readonly string[],
): Promise<(datapointId: string) => string[]> {
  const places = await datasets.members.of(datapointIds);
  const holding = await datasets.collection.getAll(places.map(({ dataset_id }) => dataset_id));
  const listOf = new Map(holding.map(({ id, list_id }) => [id, list_id]));
  const linked = new Map<string, string[]>();
  for (const { datapoint_id, dataset_id, list_id } of places) {
    if (listOf.get(dataset_id) !== list_id) continue;
    const known = linked.get(datapoint_id);
    if (known) known.push(dataset_id);
    else linked.set(datapoint_id, [dataset_id]);
  }
  return (datapointId) => (linked.get(datapointId) ?? []).sort();
}

/** Datapoints as they are answered, with the datasets that hold them. */
export async function withLinkedDatasets(datasets: DatasetRepository, datapoints: readonly Datapoint[]) {
  const linkedOf = await linkedDatasets(
    datasets,
    datapoints.map(({ id }) => id),
  );
  return datapoints.map((datapoint) => toDatapointResponse(datapoint, linkedOf(datapoint.id)));
}
