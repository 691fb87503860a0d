import type { DatasetRepository } from './dataset-repository.js';
import { toDatapointResponse, type Datapoint } from './datapoint-document.js';

/**
 * Returns a function from a datapoint to the sorted ids of its datasets. Memberships in lists without a
 * dataset are ignored.
 */
export async function linkedDatasets(
  datasets: DatasetRepository,
  datapointIds: readonly string[],
): Promise<(datapointId: string) => string[]> {
  const memberships = await datasets.members.of(datapointIds);
  const ids = [...new Set(memberships.map(({ dataset_id }) => dataset_id))];
  const listOf = new Map<string, string>();
  for await (const page of datasets.collection.pagesByIds(ids))
    for (const { id, list_id } of page) listOf.set(id, list_id);
  const linked = new Map<string, string[]>();
  for (const { datapoint_id, dataset_id, list_id } of memberships) {
    if (listOf.get(dataset_id) !== list_id) continue;
    const known = linked.get(datapoint_id);
    if (known) known.push(dataset_id);
    else linked.set(datapoint_id, [dataset_id]);
  }
  return (datapointId) => (linked.get(datapointId) ?? []).sort();
}

/** Returns the responses of these datapoints, with the datasets that contain them. */
export async function withLinkedDatasets(datasets: DatasetRepository, datapoints: readonly Datapoint[]) {
  const linkedOf = await linkedDatasets(
    datasets,
    datapoints.map(({ id }) => id),
  );
  return datapoints.map((datapoint) => toDatapointResponse(datapoint, linkedOf(datapoint.id)));
}
