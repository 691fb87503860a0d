import { AppError, validationError } from '@assay/errors';
import { EVENT_TYPES, NO_REDACTION, isJsonObject, isUuid, redactEvent, type Event } from '@assay/domain';
import type { ForwardedEvent } from '../control-plane.js';

/** The largest body of forwarded events, and so the largest event that can be forwarded. */
export const MAX_FORWARD_BYTES = 32 * 1024 * 1024;

/** A request is cut here, so that one that has to be sent again is not much. */
const CUT = { bytes: 4 * 1024 * 1024, events: 500 };

/** One request's part of a batch. */
export interface EncodedBatch {
  readonly body: string;
  readonly told: readonly ForwardedEvent[];
}

/**
 * The bodies `{"events":[…]}` that carry the batch, in order. Most stay below 4 MiB.
 * @throws AppError `PAYLOAD_TOO_LARGE` for an event over {@link MAX_FORWARD_BYTES}
 */
export function encodeBatch(batch: readonly ForwardedEvent[]): EncodedBatch[] {
  const parts: { texts: string[]; told: ForwardedEvent[] }[] = [];
  let bytes = 0;
  for (const forwarded of batch) {
    const text = JSON.stringify(forwarded);
    const length = Buffer.byteLength(text);
    if (length > MAX_FORWARD_BYTES - 100)
      throw new AppError('PAYLOAD_TOO_LARGE', 'the event is too large to be forwarded');
    bytes += length;
    const part = parts.at(-1);
    if (part && bytes <= CUT.bytes && part.told.length < CUT.events) {
      part.texts.push(text);
      part.told.push(forwarded);
      continue;
    }
    parts.push({ texts: [text], told: [forwarded] });
    bytes = length;
  }
  return parts.map(({ texts, told }) => ({ body: `{"events":[${texts.join(',')}]}`, told }));
}

/** Reads what {@link encodeBatch} wrote. Fields that it does not know are dropped. @throws AppError `VALIDATION_ERROR` for anything else */
export function decodeBatch(body: unknown): ForwardedEvent[] {
  if (!isJsonObject(body) || !Array.isArray(body.events))
    throw validationError('body must be an object with events, an array');
  return body.events.map((item: unknown, index) => decodeForwarded(item, `events[${index}]`));
}

function decodeForwarded(item: unknown, path: string): ForwardedEvent {
  if (!isJsonObject(item)) throw validationError(`${path} must be an object`);
  const { kind, version, arrivedAt, event, projectId, eventId } = item;
  if (!isWhole(version)) throw validationError(`${path}.version must be a whole number`);
  if (kind === 'delete' && isId(projectId) && isUuidText(eventId))
    return { kind, version, projectId, eventId };
  if (kind !== 'event') throw validationError(`${path} must be an event or a delete with its ids`);
  if (!isWhole(arrivedAt)) throw validationError(`${path}.arrivedAt must be Unix milliseconds`);
  assertEvent(event, `${path}.event`);
  return { kind, version, arrivedAt, event: redactEvent(event, NO_REDACTION) };
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isTextOrNull: Check = (value) => value === null || isText(value);
const isTime: Check = (value) => typeof value === 'number';
const isTimeOrNull: Check = (value) => value === null || isTime(value);
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const oneOf = (...choices: readonly string[]): Check => {
  return (value) => choices.some((choice) => choice === value);
};

const FIELDS: { readonly [F in keyof Event]: Check } = {
  project_id: isId,
  event_id: isUuidText,
  session_id: isUuidText,
  parent_id: isTextOrNull,
  children_ids: isTexts,
  event_type: oneOf(...EVENT_TYPES),
  event_name: isText,
  source: isText,
  start_time: isTime,
  end_time: isTimeOrNull,
  duration: isTimeOrNull,
  error: isTextOrNull,
  inputs: isJsonObject,
  outputs: isJsonObject,
  config: isJsonObject,
  metadata: isJsonObject,
  metrics: isJsonObject,
  feedback: isJsonObject,
  user_properties: isJsonObject,
  origin: oneOf('sent', 'synthesised'),
};

function assertEvent(value: unknown, path: string): asserts value is Event {
  if (!isJsonObject(value)) throw validationError(`${path} must be an object`);
  const wrong = Object.entries(FIELDS).find(
    ([field, check]) => !check(Object.hasOwn(value, field) ? value[field] : undefined),
  );
  if (wrong) throw validationError(`${path}.${wrong[0]} is missing or of the wrong type`);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 200;
}

function isUuidText(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}
