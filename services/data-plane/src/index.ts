export { composeDataPlane, type DataPlane, type DataPlaneOptions } from './compose.js';
export { redactionFromConfig } from './forwarding/redaction-from-config.js';
export { readerLiveness } from './shared/reader-liveness.js';
