export { composeControlPlane, type ControlPlaneOptions, type ControlPlaneParts } from './compose.js';
export {
  alertIntervalSettings,
  auditSettings,
  eventRetentionSettings,
  ingestLimitsFrom,
  ingestLimitSettings,
} from './config.js';
export { createInternalApi, type InternalApiOptions } from './http/create-internal-api.js';
export { withInternalApi } from './http/with-internal-api.js';
export type { FirstProject } from './identity/projects/ensure-first-project.js';
export { identityProviderSettings } from './identity/people/identity-provider-settings.js';
export { openIdentityProvider } from './identity/people/open-identity-provider.js';
export { prepareFirstKey } from './identity/projects/first-key-notice.js';
