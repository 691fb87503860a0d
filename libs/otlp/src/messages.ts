import type { JsonValue } from '@assay/domain';

/** A point in time since the Unix epoch: whole milliseconds and the nanoseconds (0 … 999,999) beyond them. Loses nothing of a fixed64. */
export interface Instant {
  readonly ms: number;
  readonly ns: number;
}

/** Decoded attributes by key; of a repeated key the last one counts. An attribute without a value is present as null. */
export type Attributes = ReadonlyMap<string, JsonValue>;

export const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

export const STATUS_CODES = ['UNSET', 'OK', 'ERROR'] as const;
export type StatusCode = (typeof STATUS_CODES)[number];

/** What produced the spans. One object is shared by all its spans. */
export interface Resource {
  readonly attributes: Attributes;
}

/** The instrumentation that made the spans; absent on the wire is an empty name. */
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

/** A pointer to another span. Its ids are kept as sent: a link never decides anything about this span. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly flags: number;
  readonly attributes: Attributes;
}

/**
 * One span, the same for both encodings. `traceId` and `spanId` are 32 and 16 lower-case hex digits, never all zero.
 * Start and end are undefined when they are missing or zero on the wire.
 */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** 16 lower-case hex digits; undefined for a root. */
  readonly parentSpanId: string | undefined;
  /** A parent id that is not one, as sent; such a span counts as a root. */
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

/** Spans that were refused one by one: how many, and why the first one was. The message is empty when there is none. */
export interface Rejected {
  readonly count: number;
  readonly message: string;
}

/** A decoded `ExportTraceServiceRequest`: the valid spans in the order of the wire, and what was refused. */
export interface DecodedTraces {
  readonly spans: readonly Span[];
  readonly rejected: Rejected;
}

export type OtlpEncoding = 'json' | 'protobuf';
