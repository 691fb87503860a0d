import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { completeEnd } from '../time/check-times.js';
import type { Event } from '../event.js';
import { EVENT_SHAPE, namesWhere, type EventShape, type FieldName } from '../event-shape.js';
import { sessionName } from '../session-name.js';

/** Fields as they are returned: a session also has its name as `session_name`, which no other event has. */
export type RootField = FieldName | 'session_name';

/** The fields of an event that a filter can name. */
export const ROOT_FIELDS = rootFieldsOf(EVENT_SHAPE);

/** The fields of a shape that a filter can name. */
export function rootFieldsOf(shape: EventShape): readonly RootField[] {
  return [...namesWhere(shape.fields, ({ internal }) => !internal), 'session_name'];
}

/**
 * Where the value of a dotted field may be: in `root`, under each of `candidates`, which are lists of object
 * keys. The first value that is neither absent nor null is the field's value. No candidates: the root field
 * itself.
 */
export interface EventPath {
  readonly root: RootField;
  readonly candidates: readonly (readonly string[])[];
}

/**
 * Splits a dotted field. Keys of user data, such as span attributes, may contain dots. After the nested path
 * `a → b → c`, the candidates are therefore the paths with one literal key, in this order: at the start,
 * longest first (`a.b.c`, then `a.b → c`), then at the end, longest first (`a → b.c`). Returns undefined if
 * no event has such a field.
 */
export function eventPath(field: string, shape: EventShape = EVENT_SHAPE): EventPath | undefined {
  const [first = '', ...keys] = field.split('.');
  if (first === 'session_name') return keys.length === 0 ? { root: first, candidates: [] } : undefined;
  const root = shape.fields.find(({ name, internal }) => name === first && !internal);
  if (root === undefined) return undefined;
  if (keys.length === 0) return { root: root.name, candidates: [] };
  return root.type === 'object' ? { root: root.name, candidates: candidatesOf(keys) } : undefined;
}

/**
 * Returns the value of a field of an event; null if it is absent. A missing end or duration is derived from the
 * other, as in responses.
 */
export function valueAt(event: Event, path: EventPath): JsonValue {
  const bucket = rootValue(event, path.root);
  if (path.candidates.length === 0 || !isJsonObject(bucket)) return bucket;
  for (const keys of path.candidates) {
    const value = nested(bucket, keys);
    if (value !== null) return value;
  }
  return null;
}

/** Returns the fields that {@link valueAt} reads for a path. */
export function fieldsRead({ root }: EventPath): readonly FieldName[] {
  switch (root) {
    case 'session_name':
      return ['event_type', 'event_name', 'metadata'];
    case 'end_time':
    case 'duration':
      return ['start_time', 'end_time', 'duration'];
    default:
      return [root];
  }
}

function rootValue(event: Event, root: RootField): Event[keyof Event] {
  switch (root) {
    case 'session_name':
      return event.event_type === 'session' ? sessionName(event) : null;
    case 'end_time':
    case 'duration':
      return completeEnd(event.start_time, event.end_time, event.duration)[root];
    default:
      return event[root];
  }
}

function candidatesOf(keys: readonly string[]): string[][] {
  const candidates = [[...keys]];
  for (let end = keys.length; end >= 2; end--)
    candidates.push([keys.slice(0, end).join('.'), ...keys.slice(end)]);
  for (let start = 1; start <= keys.length - 2; start++)
    candidates.push([...keys.slice(0, start), keys.slice(start).join('.')]);
  return candidates;
}

function nested(object: JsonObject, keys: readonly string[]): JsonValue {
  let value: JsonValue = object;
  for (const key of keys) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return null;
    value = value[key] ?? null;
  }
  return value;
}
