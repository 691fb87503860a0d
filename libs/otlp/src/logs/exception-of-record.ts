import { LOG_ERROR_MESSAGE, type JsonObject } from '@assay/domain';
import { asText } from '../conventions/readers.js';
import { EXCEPTION_EVENT, type LogRecord } from './log-record.js';

const EXCEPTION_EVENTS = new Set([EXCEPTION_EVENT, 'gen_ai.client.operation.exception']);
/** Metadata by the attribute of an exception. */
const FACTS: Readonly<Record<string, string>> = {
  'exception.type': 'error_type',
  'exception.message': LOG_ERROR_MESSAGE,
  'exception.stacktrace': 'error_stack',
};

/** An exception that a log event records. */
export interface RecordedException {
  /** Metadata of the event. */
  readonly facts: JsonObject;
  /** Whether the record says nothing else. */
  readonly isWhole: boolean;
}

/** Returns the exception of a log event; undefined for other events. */
export function exceptionOf({ eventName, body, attributes }: LogRecord): RecordedException | undefined {
  if (!EXCEPTION_EVENTS.has(eventName)) return undefined;
  const facts: JsonObject = {};
  let isWhole = body === null || body === '';
  for (const [key, value] of attributes) {
    const name = Object.hasOwn(FACTS, key) ? FACTS[key] : undefined;
    const text = asText(value);
    if (name !== undefined && text !== undefined) facts[name] = text;
    else if (key !== 'event.name') isWhole = false;
  }
  return { facts, isWhole };
}
