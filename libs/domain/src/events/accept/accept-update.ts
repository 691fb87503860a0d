import type { JsonValue } from '../../json.js';
import { runSteps, type Steps } from '../../steps.js';
import type { EventPatch, UpdateInput } from '../event.js';
import { EVENT_SHAPE, type EventShape, type NamedField } from '../event-shape.js';
import { cleanFieldsSteps } from './clean-fields.js';
import { textsOfSteps } from './clean-text.js';
import { readSentValue } from './read-sent-value.js';
import { moveGroundTruth } from './sent-buckets.js';

/**
 * Returns the patch of an update. Null means absent: the stored value stays. Outputs other than objects are wrapped, errors
 * other than texts become their JSON. What {@link ignoredNames} returns has no effect.
 * @param maxBytes maximum size in bytes of JSON; 10 MB by default
 * @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`
 */
export function acceptUpdate(input: UpdateInput, shape?: EventShape, maxBytes?: number): EventPatch {
  return runSteps(acceptUpdateSteps(input, shape, maxBytes));
}

/** Like {@link acceptUpdate}, in steps for an update with many values. */
export function* acceptUpdateSteps(
  input: UpdateInput,
  shape: EventShape = EVENT_SHAPE,
  maxBytes?: number,
): Steps<EventPatch> {
  const patch = moveGroundTruth(readPatch(input, shape));
  const { needCleaning } = yield* textsOfSteps(patch, 'the update', maxBytes);
  return needCleaning ? yield* cleanFieldsSteps(patch, '', shape) : patch;
}

function readPatch(input: UpdateInput, shape: EventShape): EventPatch {
  const sent: Readonly<Record<string, SentValue>> = input;
  const patch: Record<string, JsonValue> = {};
  for (const field of shape.fields) {
    const value = sent[field.name];
    if (isPresent(value) && isApplied(field, value)) patch[field.name] = readSentValue(field, value, '');
  }
  return patch;
}

/** Names of a response. More, or longer ones, are cut: a client that sends so many does not read them. */
const MAX_IGNORED_NAMES = 100;
const MAX_NAME_LENGTH = 100;

/**
 * Returns the names of the values that an update does not apply: unknown fields, fields that belong to the event's creation, an
 * empty list of children, a start that is not a number, and the type of a session, which never changes.
 */
export function ignoredNames(sent: object, shape: EventShape = EVENT_SHAPE): string[] {
  const fields = new Map<string, NamedField>(shape.fields.map((field) => [field.name, field]));
  const ignored: string[] = [];
  const values = sent as Readonly<Record<string, SentValue>>;
  for (const name in values) {
    const [field, value] = [fields.get(name), values[name]];
    if (!isPresent(value) || (field !== undefined && isApplied(field, value))) continue;
    ignored.push(name.slice(0, MAX_NAME_LENGTH));
    if (ignored.length === MAX_IGNORED_NAMES) break;
  }
  return ignored;
}

type SentValue = JsonValue | readonly string[] | undefined;

function isPresent(value: SentValue): value is JsonValue | readonly string[] {
  return value !== undefined && value !== null;
}

function isApplied({ name, type, updatable }: NamedField, value: JsonValue | readonly string[]): boolean {
  if (updatable !== true) return false;
  if (name === 'event_type') return value !== 'session';
  if (name === 'start_time') return typeof value === 'number' || typeof value === 'bigint';
  return !(type === 'textList' && Array.isArray(value) && value.length === 0);
}
