export type { TSchema } from '@sinclair/typebox';
export {
  defineRoute,
  type ResponseOf,
  type HttpMethod,
  type RequestOf,
  type Route,
  type RouteAccess,
  type RouteLimits,
  type RouteOwner,
} from './route.js';
export {
  RECORD_HEADERS,
  RECORD_KINDS,
  RECORD_VERSION,
  STORE_GROUP,
  type DecodedRecord,
  type EventRecord,
  type Move,
  changesEvents,
  type RecordKind,
} from './log/event-record.js';
export {
  encodeEvaluationRequest,
  encodeSessionChange,
  encodeEvaluations,
  encodeEvaluationsInParts,
  inParts,
  readEvaluationRequest,
  readEvaluations,
  type EvaluationContent,
} from './log/evaluation-record.js';
export { decodeRecord, encodeRecord, type EncodedRecord } from './log/encode-record.js';
export { requiredPermissions } from './route-permissions.js';
export { requiredRole } from './route-roles.js';
export { ignoredParameters } from './client-parameters.js';
export { ROUTES } from './route-catalogue.js';
export { exchangeMessages } from './agents/exchange-messages.js';
export * as internalApi from './internal/index.js';
export * from './api/index.js';
export { compile } from './validate.js';
export { UUID, UUID_SHAPE } from './formats.js';
export { formatBytes, MAX_RESOURCE_BYTES, type ResourceKind } from './resource-limits.js';
export { errorBody, toErrorBody, type ErrorBody } from './error-body.js';
export { openApiDocument } from './openapi.js';
export { routesDocument } from './generate/routes-document.js';
