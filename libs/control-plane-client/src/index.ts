export type * from './control-plane.js';
export { createAuthenticator, type AuthenticatorOptions } from './authenticator/create-authenticator.js';
export { startJobs, type JobContext, type JobPage, type JobRunnerOptions } from './jobs/start-jobs.js';
export {
  createEvaluatorClient,
  type EvaluatorClient,
  type EvaluatorClientOptions,
} from './http/create-evaluator-client.js';
export { createHttpControlPlane, type HttpControlPlaneOptions } from './http/create-http-control-plane.js';
export { inspectControlPlane, type ControlPlaneAddress } from './http/inspect-control-plane.js';
