import { validationError } from '@assay/errors';
import { BUCKETS, type Event } from '../events/event.js';
import { eventPath, valueAt, type EventPath } from '../events/filter/event-path.js';
import type { RedactedEvent } from '../events/redact/redact-event.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { newDatapoint, type DatapointContent, type DatapointMapping } from './datapoint.js';

/**
 * A field of events, and its key in a datapoint. Without a key, the field is an object whose entries are
 * copied.
 */
interface Source {
  readonly path: EventPath;
  readonly key?: string;
}

/**
 * Which fields of events go to which part of a datapoint, checked. Absent: the default of {@link
 * datapointOfEvent}.
 */
export interface EventMapping {
  readonly inputs: readonly Source[];
  readonly history: readonly Source[];
  readonly ground_truth: readonly Source[];
}

const MAX_SEGMENTS = 32;

/**
 * Checks the fields that a mapping names. `inputs.user.name` gives the key `user.name`; a whole object, such
 * as `inputs`, gives its entries. Returns undefined if it names none.
 * @throws AppError `VALIDATION_ERROR`, as in `mapping.inputs[0]`, for a field that no event has, or whose key
 * another field of the part has
 */
export function acceptEventMapping(mapping: DatapointMapping): EventMapping | undefined {
  const sources = (part: keyof EventMapping) => sourcesOf(mapping[part] ?? [], `mapping.${part}`);
  const [inputs, history, ground_truth] = [sources('inputs'), sources('history'), sources('ground_truth')];
  if (inputs.length + history.length + ground_truth.length === 0) return undefined;
  return { inputs, history, ground_truth };
}

function sourcesOf(fields: readonly string[], name: string): readonly Source[] {
  const keys = new Set<string>();
  return fields.map((field, index) => {
    const at = `${name}[${index}]`;
    const source = sourceOf(field, at);
    if (source.key === undefined) return source;
    if (keys.has(source.key)) throw validationError(`${at} gives a key that an earlier field gives`);
    keys.add(source.key);
    return source;
  });
}

function sourceOf(field: string, at: string): Source {
  const segments = field.split('.');
  if (segments.length > MAX_SEGMENTS)
    throw validationError(`${at} must not have more than ${MAX_SEGMENTS} segments`);
  const path = eventPath(field);
  if (!path) throw validationError(`${at} must be a field of events, such as inputs.question`);
  if (segments.length > 1) return { path, key: segments.slice(1).join('.') };
  return BUCKETS.some((bucket) => bucket === field) ? { path } : { path, key: field };
}

/**
 * Creates a datapoint that is linked to its event. Fields that the event lacks are omitted; of two entries
 * with the same key, the later one is kept. Without a mapping, the inputs are copied unchanged, the history
 * comes from `inputs.chat_history`, and the ground truth from `feedback.ground_truth` or else the outputs.
 * The control plane stores datapoints, so they contain only what may leave the data plane.
 * @throws AppError `VALIDATION_ERROR` if a field of the history is not a list of messages
 */
export function datapointOfEvent(event: RedactedEvent, mapping: EventMapping | undefined): DatapointContent {
  const linked_event = event.event_id;
  if (!mapping)
    return newDatapoint({
      inputs: event.inputs,
      history: chatHistory(event),
      ground_truth: reference(event),
      linked_event,
    });
  return newDatapoint({
    inputs: entriesOf(event, mapping.inputs),
    history: mapping.history.flatMap(({ path }) => messagesOf(valueAt(event, path))),
    ground_truth: mapping.ground_truth.length === 0 ? null : entriesOf(event, mapping.ground_truth),
    linked_event,
  });
}

function entriesOf(event: Event, sources: readonly Source[]): JsonObject {
  const entries = sources.flatMap(({ path, key }): [string, JsonValue][] => {
    const value = valueAt(event, path);
    if (value === null) return [];
    if (key !== undefined) return [[key, value]];
    return isJsonObject(value) ? Object.entries(value) : [];
  });
  return Object.fromEntries(entries);
}

function messagesOf(value: JsonValue): JsonObject[] {
  if (value === null) return [];
  if (isMessages(value)) return value;
  throw validationError('mapping.history names a field that is no list of messages in this event');
}

function isMessages(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

function chatHistory({ inputs }: Event): JsonObject[] {
  const history = Object.hasOwn(inputs, 'chat_history') ? inputs.chat_history : undefined;
  return isMessages(history) ? history : [];
}

function reference({ feedback, outputs }: Event): JsonObject | null {
  const given = (Object.hasOwn(feedback, 'ground_truth') ? feedback.ground_truth : null) ?? null;
  if (given !== null) return isJsonObject(given) ? given : { value: given };
  return Object.keys(outputs).length === 0 ? null : outputs;
}
