import protobuf from 'protobufjs/light.js';

/** Fields as `[name, number, type]`; a type with the prefix `*` is repeated. */
type FieldRows = readonly (readonly [name: string, number: number, type: string])[];

/**
 * Description of the OTLP messages and of google.rpc.Status with its details, with the field numbers of opentelemetry-proto
 * 1.x and googleapis. It encodes responses; tests and tools also decode with it.
 */
const MESSAGES: Readonly<Record<string, FieldRows>> = {
  ExportTraceServiceRequest: [['resourceSpans', 1, '*ResourceSpans']],
  ExportTraceServiceResponse: [['partialSuccess', 1, 'ExportTracePartialSuccess']],
  ExportTracePartialSuccess: [
    ['rejectedSpans', 1, 'int64'],
    ['errorMessage', 2, 'string'],
  ],
  ExportLogsServiceRequest: [['resourceLogs', 1, '*ResourceLogs']],
  ExportLogsServiceResponse: [['partialSuccess', 1, 'ExportLogsPartialSuccess']],
  ExportLogsPartialSuccess: [
    ['rejectedLogRecords', 1, 'int64'],
    ['errorMessage', 2, 'string'],
  ],
  ExportMetricsServiceResponse: [['partialSuccess', 1, 'ExportMetricsPartialSuccess']],
  ExportMetricsPartialSuccess: [
    ['rejectedDataPoints', 1, 'int64'],
    ['errorMessage', 2, 'string'],
  ],
  ResourceLogs: [
    ['resource', 1, 'Resource'],
    ['scopeLogs', 2, '*ScopeLogs'],
    ['schemaUrl', 3, 'string'],
  ],
  ScopeLogs: [
    ['scope', 1, 'InstrumentationScope'],
    ['logRecords', 2, '*LogRecord'],
    ['schemaUrl', 3, 'string'],
  ],
  LogRecord: [
    ['timeUnixNano', 1, 'fixed64'],
    ['severityNumber', 2, 'int32'],
    ['severityText', 3, 'string'],
    ['body', 5, 'AnyValue'],
    ['attributes', 6, '*KeyValue'],
    ['droppedAttributesCount', 7, 'uint32'],
    ['flags', 8, 'fixed32'],
    ['traceId', 9, 'bytes'],
    ['spanId', 10, 'bytes'],
    ['observedTimeUnixNano', 11, 'fixed64'],
    ['eventName', 12, 'string'],
  ],
  ResourceSpans: [
    ['resource', 1, 'Resource'],
    ['scopeSpans', 2, '*ScopeSpans'],
    ['schemaUrl', 3, 'string'],
  ],
  ScopeSpans: [
    ['scope', 1, 'InstrumentationScope'],
    ['spans', 2, '*Span'],
    ['schemaUrl', 3, 'string'],
  ],
  Resource: [
    ['attributes', 1, '*KeyValue'],
    ['droppedAttributesCount', 2, 'uint32'],
  ],
  InstrumentationScope: [
    ['name', 1, 'string'],
    ['version', 2, 'string'],
    ['attributes', 3, '*KeyValue'],
    ['droppedAttributesCount', 4, 'uint32'],
  ],
  Span: [
    ['traceId', 1, 'bytes'],
    ['spanId', 2, 'bytes'],
    ['traceState', 3, 'string'],
    ['parentSpanId', 4, 'bytes'],
    ['name', 5, 'string'],
    ['kind', 6, 'int32'],
    ['startTimeUnixNano', 7, 'fixed64'],
    ['endTimeUnixNano', 8, 'fixed64'],
    ['attributes', 9, '*KeyValue'],
    ['droppedAttributesCount', 10, 'uint32'],
    ['events', 11, '*SpanEvent'],
    ['droppedEventsCount', 12, 'uint32'],
    ['links', 13, '*SpanLink'],
    ['droppedLinksCount', 14, 'uint32'],
    ['status', 15, 'SpanStatus'],
    ['flags', 16, 'fixed32'],
  ],
  SpanEvent: [
    ['timeUnixNano', 1, 'fixed64'],
    ['name', 2, 'string'],
    ['attributes', 3, '*KeyValue'],
    ['droppedAttributesCount', 4, 'uint32'],
  ],
  SpanLink: [
    ['traceId', 1, 'bytes'],
    ['spanId', 2, 'bytes'],
    ['traceState', 3, 'string'],
    ['attributes', 4, '*KeyValue'],
    ['droppedAttributesCount', 5, 'uint32'],
    ['flags', 6, 'fixed32'],
  ],
  SpanStatus: [
    ['message', 2, 'string'],
    ['code', 3, 'int32'],
  ],
  KeyValue: [
    ['key', 1, 'string'],
    ['value', 2, 'AnyValue'],
  ],
  AnyValue: [
    ['stringValue', 1, 'string'],
    ['boolValue', 2, 'bool'],
    ['intValue', 3, 'int64'],
    ['doubleValue', 4, 'double'],
    ['arrayValue', 5, 'ArrayValue'],
    ['kvlistValue', 6, 'KeyValueList'],
    ['bytesValue', 7, 'bytes'],
  ],
  ArrayValue: [['values', 1, '*AnyValue']],
  KeyValueList: [['values', 1, '*KeyValue']],
  Status: [
    ['code', 1, 'int32'],
    ['message', 2, 'string'],
    ['details', 3, '*Any'],
  ],
  Any: [
    ['typeUrl', 1, 'string'],
    ['value', 2, 'bytes'],
  ],
  RetryInfo: [['retryDelay', 1, 'Duration']],
  RequestInfo: [['requestId', 1, 'string']],
  Duration: [
    ['seconds', 1, 'int64'],
    ['nanos', 2, 'int32'],
  ],
};

/** The `oneof` fields of AnyValue. */
const ONEOFS: Readonly<Record<string, protobuf.IType['oneofs']>> = {
  AnyValue: { value: { oneof: (MESSAGES['AnyValue'] ?? []).map(([name]) => name) } },
};

const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(Object.entries(MESSAGES).map(([name, rows]) => [name, describe(name, rows)])),
});

function describe(name: string, rows: FieldRows): protobuf.IType {
  const fields = Object.fromEntries(rows.map(([field, id, type]) => [field, describeField(id, type)]));
  return { fields, oneofs: ONEOFS[name] };
}

function describeField(id: number, type: string): protobuf.IField {
  return type.startsWith('*') ? { id, type: type.slice(1), rule: 'repeated' } : { id, type };
}

export type MessageName =
  | 'ExportTraceServiceRequest'
  | 'ExportTraceServiceResponse'
  | 'ExportLogsServiceRequest'
  | 'ExportLogsServiceResponse'
  | 'ExportMetricsServiceResponse'
  | 'Status'
  | 'RetryInfo'
  | 'RequestInfo'
  | 'Span'
  | 'KeyValue'
  | 'AnyValue';

/** Encodes a message given as a plain object with the field names of OTLP/JSON; ids are bytes. */
export function encodeMessage(name: MessageName, value: object): Buffer {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

/** Decodes a message to a plain object: 64-bit integers as decimal text, ids as bytes. */
export function decodeMessage(name: MessageName, bytes: Uint8Array): Record<string, unknown> {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: String });
}
