import type { DatasetResponse } from '@assay/contracts';
import type { Dataset } from './dataset-document.js';

export function toDatasetResponse(dataset: Dataset, datapoints: string[]): DatasetResponse {
  const { id, name, description, created_at, updated_at } = dataset;
  return { id, name, description, datapoints, created_at, updated_at };
}
