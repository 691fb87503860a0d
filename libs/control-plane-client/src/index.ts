export type * from './control-plane.js';
export { createAuthenticator, type AuthenticatorOptions } from './authenticator/create-authenticator.js';
export { createHttpControlPlane, type HttpControlPlaneOptions } from './http/create-http-control-plane.js';
