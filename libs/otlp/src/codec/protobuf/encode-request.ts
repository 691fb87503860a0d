import { encodeMessage } from './descriptor.js';

/**
 * Encodes an OTLP/JSON request (standard names, hex ids) as protocol buffers, for tests and tools that send
 * both encodings.
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
