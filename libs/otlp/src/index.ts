export { decodeTraces, decodeTracesSteps } from './codec/decode-traces.js';
export { decodeLogs, decodeLogsSteps } from './logs/decode-logs.js';
export type { DecodedLogs, LogRecord } from './logs/log-record.js';
export { mapLogsSteps } from './logs/map-logs.js';
export { rejectMetrics, rejectMetricsSteps } from './metrics/count-data-points.js';
export {
  encodeSignalResponse,
  encodeStatus,
  encodeTracesResponse,
  rpcStatus,
  type EncodedResponse,
  type RpcStatus,
} from './codec/encode-response.js';
export { decodeMessage, encodeMessage, type MessageName } from './codec/protobuf/descriptor.js';
export { MAX_SPANS } from './limits.js';
export type {
  Attributes,
  DecodedTraces,
  DecodeOptions,
  Instant,
  OtlpEncoding,
  Rejected,
  Resource,
  Scope,
  Span,
  SpanEvent,
  SpanKind,
  SpanLink,
  StatusCode,
} from './messages.js';
export { encodeRequest } from './codec/protobuf/encode-request.js';
export { CONVENTIONS } from './conventions/catalogue.js';
export { valueAttributes } from './conventions/value-attributes.js';
export type { AttributeRule, Convention, Destination, Target } from './conventions/rule.js';
export { mappingDocument } from './generate/mapping-document.js';
export { mapEventsSteps, toEvents, type MappedTraces, type ToEventsContext } from './to-events.js';
export type { LinkedPatch } from './mapping/linked-evaluation.js';
export type { EventAlias } from './mapping/event-ids.js';
export type { TraceSession } from './mapping/trace-sessions.js';
export { DEFAULT_PRICES } from './prices/default-prices.js';
export { estimateCost, type CalledModel, type CallTokens } from './prices/estimate-cost.js';
export { loadPrices } from './prices/load-prices.js';
export { openPrices, type Prices } from './prices/open-prices.js';
export { PriceTable, type Price } from './prices/price-table.js';
