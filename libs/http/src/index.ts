export { Answer, withHeaders, type WireResponse } from './response/response.js';
export { sharedTokenDataPlane, type DataPlane, type IdentifyDataPlane } from './auth/data-plane.js';
export type { CallerOf } from './auth/caller-of.js';
export {
  bind,
  bindRaw,
  type Binding,
  type ContextOf,
  type Incoming,
  type Operation,
  type RawOperation,
  type RawRequest,
} from './bind.js';
export type { OtlpType } from './body/content-type.js';
export { MAX_BODY_BYTES } from './body/body-limits.js';
export { parseJson } from './json/parse-json.js';
export { ByteBudget, type ByteBudgetOptions } from './scheduling/byte-budget.js';
export { createApp, type AppOptions } from './create-app.js';
export type { HealthOptions } from './health.js';
export { listen, type Listening, type ListenOptions, type ListenTimeouts } from './listen.js';
export { createProxy, type RequestProxy, type ProxyOptions } from './proxy.js';
export type { RequestContext } from './request-context.js';
export { createAdminApp } from './admin-app.js';
export { serve, type ServeOptions, type Serving } from './serve.js';
