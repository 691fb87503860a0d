export { composeControlPlane, type ControlPlaneOptions, type ControlPlaneParts } from './compose.js';
export { auditSettings } from './config.js';
export { controlPlaneBindings } from './http/routes.js';
export { withInternalApi } from './http/with-internal-api.js';
export type { FirstProject } from './projects/ensure-first-project.js';
export { firstKeyNotice } from './projects/first-key-notice.js';
