export { composeDataPlane, type DataPlane, type DataPlaneOptions } from './compose.js';
export { consumerGroups } from './shared/consumer-groups.js';
export { redactionFromConfig } from './forwarding/redaction-from-config.js';
export { repairStore } from './shared/repair-store.js';
export { queryOptions } from './shared/query-options.js';
export { readerLiveness } from './shared/reader-liveness.js';
