import type { JsonValue } from '@assay/domain';

/**
 * Point in time since the Unix epoch: whole milliseconds and the remaining nanoseconds (0 … 999,999).
 * Represents every fixed64 exactly.
 */
export interface Instant {
  readonly ms: number;
  readonly ns: number;
}

/** Decoded attributes by key; the last of a repeated key wins. An attribute without a value is null. */
export type Attributes = ReadonlyMap<string, JsonValue>;

export const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

export const STATUS_CODES = ['UNSET', 'OK', 'ERROR'] as const;
export type StatusCode = (typeof STATUS_CODES)[number];

/** Resource that produced the spans. All its spans share one object. */
export interface Resource {
  readonly attributes: Attributes;
}

/** Instrumentation scope; an absent scope has an empty name. */
export interface Scope {
  readonly name: string;
  readonly version: string;
  readonly attributes: Attributes;
}

export interface SpanEvent {
  readonly name: string;
  readonly time: Instant | undefined;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

/** Link to another span. Its ids are stored as sent and do not affect this span. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly flags: number;
  readonly attributes: Attributes;
}

/**
 * Decoded span, identical for both encodings. `traceId` and `spanId` are 32 and 16 lower-case hex digits,
 * never all zero. Start and end are undefined when missing or zero.
 */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** 16 lower-case hex digits; undefined for a root. */
  readonly parentSpanId: string | undefined;
  /** Malformed parent id as sent; the span is treated as a root. */
  readonly malformedParentSpanId: string | undefined;
  readonly traceState: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: SpanKind;
  readonly start: Instant | undefined;
  readonly end: Instant | undefined;
  readonly statusCode: StatusCode;
  readonly statusMessage: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
  readonly resource: Resource;
  readonly scope: Scope;
}

/**
 * Number of rejected spans and the reason of the first. A message without rejected spans is a warning; it is empty when
 * everything is stored unchanged.
 */
export interface Rejected {
  readonly count: number;
  readonly message: string;
  /** Number of events whose largest values are not stored; absent without any. */
  readonly truncated?: number;
}

/** Decoded `ExportTraceServiceRequest`: valid spans in wire order, and rejected spans. */
export interface DecodedTraces {
  readonly spans: readonly Span[];
  readonly rejected: Rejected;
  /** Whether an event may be larger than 10 MB, so that they have to be measured; absent: no. */
  readonly isLarge?: boolean;
}

export type OtlpEncoding = 'json' | 'protobuf';

export interface DecodeOptions {
  /**
   * Long messages in protobuf stay raw text (`RawText` of the domain) in the mapped events, for a caller that only
   * encodes the events as rows.
   */
  readonly rawText?: boolean;
  /** Maximum size of an event in bytes of JSON; 10 MB by default. */
  readonly maxEventBytes?: number | undefined;
}
