/** An AnyValue of OTLP/JSON. */
export type AnyValueJson = Record<string, unknown>;

/** Writes a value as an exporter does: whole numbers as int, other numbers as double. */
export function anyValue(value: unknown): AnyValueJson {
  if (value === null || value === undefined) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: attributeList(value as Record<string, unknown>) } };
}

/** Attributes as an exporter writes them. */
export function attributeList(attributes: Record<string, unknown>): { key: string; value: AnyValueJson }[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

export interface SpanInput {
  readonly attributes?: Record<string, unknown>;
  readonly events?: {
    readonly name: string;
    readonly attributes?: Record<string, unknown>;
    readonly timeUnixNano?: string;
  }[];
  /** Any field of the span in OTLP/JSON, over the defaults. */
  readonly [field: string]: unknown;
}

export const TRACE_ID = '5b8efff798038103d269b633813fc60c';
export const SPAN_ID = 'eee19b7ec3c1b174';

/** A span in OTLP/JSON: one second long, a root, with the given parts. */
export function spanJson(input: SpanInput = {}): Record<string, unknown> {
  const { attributes, events, ...fields } = input;
  return {
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    name: 'a span',
    kind: 1,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    ...(attributes && { attributes: attributeList(attributes) }),
    ...(events && {
      events: events.map((event) => ({ ...event, attributes: attributeList(event.attributes ?? {}) })),
    }),
    ...fields,
  };
}

/** A request with one resource and one scope. */
export function requestJson(
  spans: object[],
  resource: Record<string, unknown> = {},
  scopeName = 'tests',
): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributeList(resource) },
        scopeSpans: [{ scope: { name: scopeName }, spans }],
      },
    ],
  };
}

export function jsonBody(request: object): Buffer {
  return Buffer.from(JSON.stringify(request));
}
