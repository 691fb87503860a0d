import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import type { Span } from '../messages.js';
import { toMilliseconds } from '../codec/instants.js';
import type { UnmappedAttribute } from './source.js';
import type { SpanBuilder } from './span-builder.js';
import type { SpanError } from './error-text.js';
import { slotOf } from './slots.js';

const FIRST_TOKEN_AT = slotOf('fact.first_token_at');

export interface MetadataParts {
  readonly otel: JsonObject;
  readonly usage: JsonObject;
  readonly error: SpanError;
  readonly finishReasons: readonly string[];
  /** Text from which the session id was derived. */
  readonly sessionKey: string | undefined;
  /** Unmapped attributes. */
  readonly unmapped: readonly UnmappedAttribute[];
}

/**
 * Metadata of an event: protocol fields, explicit values, values mapped by conventions, and every unmapped
 * attribute under its own key. If the key is already used with another value, the attribute is stored under
 * `attributes.<key>`.
 */
export function composeMetadata(span: Span, builder: SpanBuilder, parts: MetadataParts): JsonObject {
  const metadata: JsonObject = { otel: parts.otel, trace_id: span.traceId, span_id: span.spanId };
  if (span.parentSpanId !== undefined) metadata['parent_span_id'] = span.parentSpanId;
  for (const spread of builder.spreadsOf('metadata', true)) putAll(metadata, spread.values);
  for (const slot of builder.filled('metadata')) put(metadata, slot.key, builder.value(slot) as JsonValue);
  putAll(metadata, parts.usage);
  fillFirstToken(metadata, span, builder);
  if (parts.error.type !== undefined) fillIn(metadata, 'error_type', parts.error.type);
  if (parts.error.stack !== undefined) fillIn(metadata, 'error_stack', parts.error.stack);
  if (parts.finishReasons.length > 0) fillIn(metadata, 'finish_reasons', [...parts.finishReasons]);
  if (parts.sessionKey !== undefined) fillIn(metadata, 'session_key', parts.sessionKey);
  for (const spread of builder.spreadsOf('metadata', false)) putAll(metadata, spread.values);
  if (builder.truncated.length > 0) fillIn(metadata, 'truncated', builder.truncated);
  for (const [key, value] of builder.unmapped) put(metadata, key, value);
  for (const [key, value] of parts.unmapped) put(metadata, key, value);
  fillTotal(metadata);
  return metadata;
}

/** Sets the total of explicit token counts without a total, so that session totals are consistent. */
function fillTotal(metadata: JsonObject): void {
  const { prompt_tokens: prompt, completion_tokens: completion } = metadata;
  if (typeof prompt === 'number' && typeof completion === 'number')
    fillIn(metadata, 'total_tokens', prompt + completion);
}

/** Sets the time to first token from its timestamp, if the span does not provide it. */
function fillFirstToken(metadata: JsonObject, span: Span, builder: SpanBuilder): void {
  const at = builder.number(FIRST_TOKEN_AT);
  if (at === undefined) return;
  if (span.start === undefined || Object.hasOwn(metadata, 'time_to_first_token_ms'))
    return builder.contestSlot(FIRST_TOKEN_AT);
  fillIn(metadata, 'time_to_first_token_ms', Math.max(0, at - toMilliseconds(span.start)));
}

function putAll(metadata: JsonObject, values: JsonObject): void {
  for (const key of Object.keys(values)) put(metadata, key, values[key] as JsonValue);
}

function fillIn(metadata: JsonObject, key: string, value: JsonValue): void {
  if (!Object.hasOwn(metadata, key)) setOwn(metadata, key, value);
}

/** Sets the key, or `attributes.<key>` when it holds another value. */
export function put(metadata: JsonObject, key: string, value: JsonValue): void {
  if (!Object.hasOwn(metadata, key)) setOwn(metadata, key, value);
  else if (metadata[key] !== value) put(metadata, `attributes.${key}`, value);
}
