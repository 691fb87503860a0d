import { isJsonObject, LOG_ERROR_MESSAGE, type JsonObject } from '@assay/domain';
import { isExceptionEvent, namesException } from '../conventions/exception-event.js';
import { asText } from '../conventions/readers.js';
import type { LogRecord } from './log-record.js';

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

/** Returns the exception of a log event, which its attributes or its body describe; undefined for other events. */
export function exceptionOf({ eventName, body, attributes }: LogRecord): RecordedException | undefined {
  const isEvent = isExceptionEvent(eventName);
  if (!isEvent && !namesException(attributes)) return undefined;
  const facts: JsonObject = {};
  let isWhole = isEvent && (body === null || body === '' || isJsonObject(body));
  for (const [key, value] of [...attributes, ...Object.entries(isJsonObject(body) ? body : {})]) {
    const name = Object.hasOwn(FACTS, key) ? FACTS[key] : undefined;
    const text = asText(value);
    if (name !== undefined && text !== undefined && (facts[name] ?? text) === text) facts[name] = text;
    else if (key !== 'event.name') isWhole = false;
  }
  return { facts, isWhole };
}
