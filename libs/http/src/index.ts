export {
  FailureWithHeaders,
  HandlerResponse,
  withHeaders,
  type OperationResult,
  type WireResponse,
} from './response/response.js';
export { ByteContent, type ByteRange } from './response/byte-content.js';
export { rangeResponse, type RangedContent } from './response/range-response.js';
export { namesTag, notModified } from './response/entity-tag.js';
export {
  EncodedJson,
  JsonStream,
  LineStream,
  mapItems,
  mapPages,
  streamJson,
  type Pages,
  type StreamOptions,
} from './response/json-stream.js';
export { sharedTokenDataPlane, type DataPlane, type IdentifyDataPlane } from './auth/data-plane.js';
export type { CallerOf } from './auth/route-caller.js';
export { acceptOtlpMetrics } from './routing/otlp-metrics.js';
export {
  bind,
  bindRaw,
  type Binding,
  type ContextOf,
  type IncomingRequest,
  type Operation,
  type RawOperation,
  type RawRequest,
} from './routing/bind.js';
export type { FailedRequest } from './routing/handle.js';
export type { OtlpType } from './body/content-type.js';
export { MAX_BODY_BYTES } from './body/body-limits.js';
export { parseJson } from './json/parse-json.js';
export { ByteBudget, type ByteBudgetOptions } from './scheduling/byte-budget.js';
export { openConsole } from './console/open-console.js';
export { createApp, type AppOptions } from './server/create-app.js';
export { makeIsAllowedOrigin } from './server/cross-origin.js';
export type { CallApi, InProcessRequest, InProcessResponse } from './server/in-process-api.js';
export type { HealthChecks, HealthOptions } from './server/health.js';
export { listen, type ListeningServer, type ListenOptions, type ListenTimeouts } from './server/listen.js';
export { createProxy, type RequestProxy, type ProxyOptions } from './proxy/proxy.js';
export type { RequestContext } from './request/request-context.js';
export { createAdminApp } from './server/admin-app.js';
export type { Diagnosis, Inspections } from './server/diagnose.js';
export { serve, type ServeOptions, type RunningServers } from './server/serve.js';
export {
  startService,
  type ServiceApi,
  type ServiceContext,
  type ServiceOptions,
} from './server/start-service.js';
export { VERSION } from './server/product-version.js';
export {
  connectControlPlane,
  controlPlaneTls,
  type ControlPlaneConfig,
  type ControlPlaneConnection,
} from './server/connect-control-plane.js';
