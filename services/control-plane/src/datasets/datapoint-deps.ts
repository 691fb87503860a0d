import type { DatasetDeps } from './dataset-repository.js';
import type { DatapointRecords } from './datapoint-document.js';

export interface DatapointDeps extends DatasetDeps {
  readonly datapoints: DatapointRecords;
}
