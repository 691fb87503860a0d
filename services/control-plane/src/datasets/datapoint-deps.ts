import type { DatasetDeps } from './dataset-repository.js';
import type { DatapointCollection } from './datapoint-document.js';

export interface DatapointDeps extends DatasetDeps {
  readonly datapoints: DatapointCollection;
}
