/** Position of a span in its trace. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const PATTERN = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const MAX_LENGTH = 128;
const SAMPLED = 1;

/** Reads a `traceparent`. Source: W3C Trace Context, "traceparent Header". @returns undefined for anything else */
export function parseTraceparent(text: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined;
  const [, traceId, spanId, flags] = PATTERN.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Writes the `traceparent` of a sampled span. */
export function sampledTraceparent({ traceId, spanId }: Omit<TraceParent, 'isSampled'>): string {
  return `00-${traceId}-${spanId}-01`;
}
