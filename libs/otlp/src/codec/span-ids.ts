import { BrokenSpan } from './broken-span.js';

const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const ZERO_TRACE = '0'.repeat(32);
const ZERO_SPAN = '0'.repeat(16);

/**
 * Hex text of an id. Accepts any case, and base64 as generic proto3 JSON encoders write it. Other text is
 * unchanged.
 */
export function hexId(text: string): string {
  if (/^[A-Za-z0-9+/_-]{22}==$/.test(text) || /^[A-Za-z0-9+/_-]{11}=$/.test(text))
    return Buffer.from(text, 'base64').toString('hex');
  return text.toLowerCase();
}

/** @throws BrokenSpan unless the text is 32 hex digits, not all zero. */
export function checkTraceId(hex: string): string {
  if (!TRACE_ID.test(hex) || hex === ZERO_TRACE)
    throw new BrokenSpan('traceId must be 16 bytes (32 hex digits), not all zero');
  return hex;
}

/** @throws BrokenSpan unless the text is 16 hex digits, not all zero. */
export function checkSpanId(hex: string): string {
  if (!SPAN_ID.test(hex) || hex === ZERO_SPAN)
    throw new BrokenSpan('spanId must be 8 bytes (16 hex digits), not all zero');
  return hex;
}

export interface ParentId {
  readonly parentSpanId: string | undefined;
  readonly malformedParentSpanId: string | undefined;
}

const ROOT: ParentId = { parentSpanId: undefined, malformedParentSpanId: undefined };

/**
 * Reads a parent id. An empty or all-zero id, the span's own id and its trace id mean a root. So does a
 * malformed id, whose text is kept: an invalid parent never rejects the span.
 */
export function readParentId(hex: string, traceId: string, spanId: string, raw = hex): ParentId {
  if (hex === '' || hex === spanId || hex === traceId || /^0+$/.test(hex)) return ROOT;
  if (SPAN_ID.test(hex)) return { parentSpanId: hex, malformedParentSpanId: undefined };
  return { parentSpanId: undefined, malformedParentSpanId: raw };
}
