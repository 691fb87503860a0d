import type { JsonValue } from '@assay/domain';
import { isExceptionEvent } from '../conventions/exception-event.js';
import { asText } from '../conventions/readers.js';
import { compareInstants } from '../codec/instants.js';
import type { Span, SpanEvent } from '../messages.js';
import type { SpanBuilder } from './span-builder.js';
import { slotOf } from './slots.js';

const ERROR = slotOf('fact.error');
const ERROR_TYPE = slotOf('fact.error_type');
const ERROR_MESSAGE = slotOf('fact.error_message');
const EXCEPTION_TYPE = slotOf('fact.exception_type');
const EXCEPTION_MESSAGE = slotOf('fact.exception_message');
const FAILED = slotOf('fact.failed');
const EXCEPTIONS_FAIL = slotOf('fact.exceptions_fail');

export interface SpanError {
  /** Null when the span did not fail; never empty. */
  readonly error: string | null;
  readonly type: string | undefined;
  readonly stack: string | undefined;
}

/**
 * Failure of a span. With status OK, or with exceptions and an unset status, the span did not fail: the
 * exception was handled; unless its library records no exception but that of a failed run, and sets status OK when it ends the span.
 */
export function errorOf(span: Span, builder: SpanBuilder): SpanError {
  const exception = latestException(span);
  const explicit = builder.text(ERROR);
  const text =
    explicit ?? (hasFailed(span, builder, exception) ? failureText(span, builder, exception) : undefined);
  const type = builder.text(ERROR_TYPE) ?? attribute(exception, 'exception.type');
  const stack = attribute(exception, 'exception.stacktrace');
  if (text === undefined) return { error: null, type: undefined, stack: undefined };
  return isTraceback(text) ? { error: lastLine(text), type, stack: text } : { error: text, type, stack };
}

function hasFailed(span: Span, builder: SpanBuilder, exception: SpanEvent | undefined): boolean {
  if (span.statusCode === 'ERROR') return true;
  if (exception !== undefined && builder.has(EXCEPTIONS_FAIL)) return true;
  return span.statusCode === 'UNSET' && (builder.has(ERROR_TYPE) || builder.has(FAILED));
}

function failureText(span: Span, builder: SpanBuilder, exception: SpanEvent | undefined): string {
  return (
    asText(span.statusMessage) ??
    attribute(exception, 'exception.message') ??
    builder.text(EXCEPTION_MESSAGE) ??
    builder.text(ERROR_MESSAGE) ??
    asText(builder.value(FAILED) === true ? null : (builder.value(FAILED) ?? null)) ??
    builder.text(ERROR_TYPE) ??
    attribute(exception, 'exception.type') ??
    builder.text(EXCEPTION_TYPE) ??
    'error'
  );
}

function latestException(span: Span): SpanEvent | undefined {
  let latest: SpanEvent | undefined;
  for (const event of span.events) {
    if (!isExceptionEvent(event.name)) continue;
    if (latest === undefined || compareInstants(latest.time, event.time) <= 0) latest = event;
  }
  return latest;
}

function attribute(event: SpanEvent | undefined, key: string): string | undefined {
  const value: JsonValue = event?.attributes.get(key) ?? null;
  return asText(value);
}

function isTraceback(text: string): boolean {
  return text.includes('Traceback (most recent call last)');
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() || text;
}
