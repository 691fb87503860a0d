export { composeDataPlane, type DataPlane, type DataPlaneOptions } from './compose.js';
export { redactionFromConfig } from './forwarding/redaction-from-config.js';
export { repairStore } from './shared/repair-store.js';
export { queryOptions } from './shared/query-options.js';
