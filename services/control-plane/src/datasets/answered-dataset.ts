import type { AnsweredDataset } from '@assay/contracts';
import type { Dataset } from './dataset-records.js';

export function answeredDataset(dataset: Dataset, datapoints: string[]): AnsweredDataset {
  const { id, name, description, created_at, updated_at } = dataset;
  return { id, name, description, datapoints, created_at, updated_at };
}
