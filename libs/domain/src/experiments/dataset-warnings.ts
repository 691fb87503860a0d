/** The dataset of a run, as responses name it. */
export interface DatasetOfRun {
  readonly dataset_id?: string | null;
  /** Null when the dataset was deleted, or when the client keeps it itself. */
  readonly dataset_name?: string | null;
  /** Version when the run was created; null or absent when it is not known. */
  readonly dataset_version?: number | null;
}

/**
 * Returns a sentence for each reason why two runs may not have been computed on the same datapoints. What is not known of
 * a run without a dataset, or of one that was created before versions were recorded, is no reason.
 */
export function datasetWarnings(oldRun: DatasetOfRun, newRun: DatasetOfRun): string[] {
  const [oldId, newId] = [oldRun.dataset_id ?? null, newRun.dataset_id ?? null];
  if (oldId === null || newId === null) return [];
  if (oldId !== newId)
    return ['the runs have different datasets: only the datapoints that both have are compared'];
  const [oldVersion, newVersion] = [oldRun.dataset_version ?? null, newRun.dataset_version ?? null];
  if (oldVersion !== null && newVersion !== null) {
    if (oldVersion === newVersion) return [];
    return [
      `the dataset has changed between the runs: it had version ${oldVersion} when the old run was created, and ` +
        `version ${newVersion} when the new run was`,
    ];
  }
  const isDeleted = oldVersion !== newVersion && newRun.dataset_name === null;
  return isDeleted
    ? ['the dataset was deleted, so that it is not known whether both runs used the same datapoints']
    : [];
}
