export { composeDataPlane, type DataPlane, type DataPlaneOptions } from './compose.js';
export { redactionFromConfig } from './readers/redaction-from-config.js';
