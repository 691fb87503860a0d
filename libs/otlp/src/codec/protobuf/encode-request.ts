import { encodeMessage } from './descriptor.js';

/**
 * Encodes a request given in OTLP/JSON (standard spelling, ids in hex) as protocol buffers: the same message for a test or a
 * tool to send both ways.
 */
export function encodeRequest(request: object): Buffer {
  return encodeMessage('ExportTraceServiceRequest', withBinaryIds(request) as object);
}

const ID_FIELDS = new Set(['traceId', 'spanId', 'parentSpanId']);

function withBinaryIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBinaryIds);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(key, item)]));
}

function convert(key: string, value: unknown): unknown {
  return ID_FIELDS.has(key) && typeof value === 'string' ? Buffer.from(value, 'hex') : withBinaryIds(value);
}
