export { areDeletes } from './are-deletes.js';
export { consumerGroups, EVALUATE_GROUP, FORWARD_GROUP, STORE_GROUP } from './consumer-groups.js';
export { eventKey, positionAfter } from './event-position.js';
export { loadStates, type StateSource } from './load-states.js';
export { LogProgress, type GroupLag, type LogProgressOptions } from './log-progress.js';
export { readerLiveness } from './reader-liveness.js';
export { checkReaderHealth, filtersNotDecided, readerMetrics } from './reader-monitoring.js';
export { MAX_LOADED_BYTES, splitBySize, type SplitRequest } from './split-by-size.js';
export { traceBatches } from './trace-batch.js';
export { countByProject, StageCounts, STAGES, type Stage } from './stage-counts.js';
export {
  hasPassed,
  makeWaitUntilRead,
  makeWaitUntilStored,
  type Freshness,
  type WaitUntilStoredDeps,
} from './wait-until-stored.js';
