import { createHash } from 'node:crypto';
import {
  isJsonObject,
  LOG_CONTENT,
  MERGED_BUCKETS,
  messagesOfOutputs,
  outputsOfMessages,
  sortedText,
  type Event,
  type JsonObject,
  type JsonValue,
  type LogContent,
  type LogPiece,
} from '@assay/domain';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import { CHOICE_EVENT, CONTENT_EVENTS } from '../conventions/gen-ai-events.js';
import { asCount } from '../conventions/readers.js';
import type { LogRecord } from './log-record.js';

/** Hexadecimal digits of the identity of a record; 64 bits are enough among the records of one span. */
const ID_LENGTH = 16;
/** Digits of each part of an order. */
const DIGITS = { choice: 4, ms: 14, ns: 6, index: 5, position: 4 };

/** Fields of the protocol that a record shares with the others of its scope. */
const SHARED_FACTS = ['resource', 'scope'];

/** A record, its position among those of its span, and the protocol's facts of its event. */
export interface MappedRecord {
  readonly record: LogRecord;
  readonly index: number;
  readonly otel: JsonObject;
}

/** Returns what the event of one log record contains as the content of that record. */
export function contentOfRecord(event: Event, { record, index, otel }: MappedRecord): LogContent {
  const id = identityOf(record);
  const order = (choice: number | undefined, position: number) =>
    [
      String(rankOf(record)),
      choice === undefined ? '' : digits(choice, DIGITS.choice),
      digits(record.time?.ms ?? 0, DIGITS.ms),
      digits(record.time?.ns ?? 0, DIGITS.ns),
      digits(index, DIGITS.index),
      digits(position, DIGITS.position),
    ].join('');
  const pieces = (messages: readonly JsonValue[], choice?: number) =>
    new Map(
      messages.map((message, position): [string, LogPiece] => [
        `${id}.${position}`,
        { order: order(choice, position), message },
      ]),
    );
  const { chat_history: history, ...inputs } = event.inputs;
  const choices = messagesOfOutputs(event.outputs);
  const values = new Map<string, readonly JsonValue[]>();
  addValues(values, 'inputs', Array.isArray(history) ? inputs : event.inputs);
  addValues(values, 'outputs', besideChoices(event.outputs, choices));
  for (const bucket of MERGED_BUCKETS) addValues(values, bucket, event[bucket]);
  for (const key of SHARED_FACTS) {
    const fact = otel[key];
    if (fact !== undefined) values.set(`otel.${key}`, [fact]);
  }
  const severity = severityOf(record);
  const events = event.metadata['log_events'];
  values.delete('metadata.log_events');
  if (areReasonsOf(choices, event.metadata['finish_reasons'])) values.delete('metadata.finish_reasons');
  return {
    messages: pieces(Array.isArray(history) ? history : []),
    choices: pieces(choices, choiceOf(record)),
    events: pieces(Array.isArray(events) ? events : []),
    values,
    severities: Object.keys(severity).length > 0 ? [severity] : [],
  };
}

/** Severity of the record by the keys of the metadata; empty without one. */
export function severityOf({ severityNumber, severityText }: LogRecord): JsonObject {
  return {
    ...(severityNumber !== 0 && { severity_number: severityNumber }),
    ...(severityText !== '' && { severity_text: severityText }),
  };
}

/** What the outputs hold beside the messages of the choices. */
function besideChoices(outputs: JsonObject, choices: readonly JsonValue[]): JsonObject {
  if (choices.length === 0) return outputs;
  const ofChoices = outputsOfMessages(choices);
  const isOfChoices = (key: string, value: JsonValue) =>
    Object.hasOwn(ofChoices, key) && sortedText(value) === sortedText(ofChoices[key] ?? null);
  return Object.fromEntries(Object.entries(outputs).filter(([key, value]) => !isOfChoices(key, value)));
}

/** Whether the messages of the choices state these finish reasons. */
function areReasonsOf(choices: readonly JsonValue[], reasons: JsonValue | undefined): boolean {
  const stated = choices.map((choice) => (isJsonObject(choice) ? choice['finish_reason'] : undefined));
  return Array.isArray(reasons) && reasons.every((reason) => stated.includes(reason));
}

function addValues(values: Map<string, readonly JsonValue[]>, container: string, object: JsonObject): void {
  for (const [key, value] of Object.entries(object))
    values.set(`${container}.${key === LOG_CONTENT ? `attributes.${key}` : key}`, [value]);
}

/** The same record has the same identity in every request. */
function identityOf({ eventName, time, body, attributes }: LogRecord): string {
  const sortedAttributes = [...attributes].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = sortedText([eventName, time?.ms ?? 0, time?.ns ?? 0, body, sortedAttributes]);
  return createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH);
}

/** The details of an operation contain all messages; the other events are older forms. */
function rankOf({ eventName }: LogRecord): number {
  if (eventName === DETAILS_EVENT) return 1;
  return Object.hasOwn(CONTENT_EVENTS, eventName) ? 3 : 2;
}

function choiceOf({ eventName, body, attributes }: LogRecord): number {
  if (eventName !== CHOICE_EVENT) return 0;
  const index = isJsonObject(body) ? body['index'] : attributes.get('index');
  return asCount(index ?? 0) ?? 0;
}

function digits(value: number, length: number): string {
  return String(Math.min(value, 10 ** length - 1)).padStart(length, '0');
}
