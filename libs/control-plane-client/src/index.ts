export type * from './control-plane.js';
export { createAuthenticator, type AuthenticatorOptions } from './authenticator/create-authenticator.js';
export {
  makeTokenCheck,
  sharedTokenDataPlane,
  type DataPlane,
  type IdentifyDataPlane,
} from './data-plane/data-plane.js';
export { UnauthorisedProjectError, requireProjects } from './data-plane/unauthorised-project-error.js';
export { createHttpControlPlane, type HttpControlPlaneOptions } from './http/create-http-control-plane.js';
export { createInternalApi } from './http/internal-api.js';
export { INTERNAL_ROUTES, type InternalRoute } from './http/internal-routes.js';
export { dataPlaneIdIn, newDataPlaneId, newDataPlaneToken } from './key-format/data-plane-token.js';
export {
  MIN_FOREIGN_KEY_LENGTH,
  newKeyId,
  newKeyText,
  readKeyText,
  type KeyText,
} from './key-format/key-format.js';
