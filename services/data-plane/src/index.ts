export { composeDataPlane, type DataPlane, type DataPlaneOptions } from './compose.js';
export { redactionOf } from './readers/redaction-of.js';
