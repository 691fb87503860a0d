import type { DatasetDeps } from '../datasets/dataset-repository.js';
import type { DatapointRecords } from './datapoint-records.js';

export interface DatapointDeps extends DatasetDeps {
  readonly datapoints: DatapointRecords;
}
