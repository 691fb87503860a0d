import { isJsonObject, type JsonValue } from '../../json.js';
import { completeEnd } from '../time/check-times.js';
import type { Event } from '../event.js';
import { EVENT_SHAPE, namesWhere, type EventShape, type FieldName } from '../event-shape.js';
import { sessionName } from '../session-name.js';
import { ANY_ITEM, bracketedParts, type PathPart } from './field-parts.js';

/** Fields as they are returned: a session also has its name as `session_name`, which no other event has. */
export type RootField = FieldName | 'session_name';

/** The fields of an event that a filter can name. */
export const ROOT_FIELDS = rootFieldsOf(EVENT_SHAPE);

/** The fields of a shape that a filter can name. */
export function rootFieldsOf(shape: EventShape): readonly RootField[] {
  return [...namesWhere(shape.fields, ({ internal }) => !internal), 'session_name'];
}

/**
 * Where the value of a field may be: in `root`, under each of `candidates`, which are lists of steps into its value. The
 * first value that is neither absent nor null is the field's value. No candidates: the root field itself.
 */
export interface EventPath {
  readonly root: RootField;
  readonly candidates: readonly (readonly PathPart[])[];
  /** Whether the path leads to any item of a list, so that there may be many values. */
  readonly isMany: boolean;
}

/** Returns where the one value of a field is; undefined if no event has such a field, or if it may have many values. */
export function eventPath(field: string, shape: EventShape = EVENT_SHAPE): EventPath | undefined {
  const path = filterPath(field, shape);
  return path?.isMany ? undefined : path;
}

/**
 * Reads a field of a filter, such as `metadata.env`, `inputs.messages[0].content` or `inputs.messages[*].role`. Keys of user
 * data, such as span attributes, may contain dots. After the nested path `a → b → c`, the candidates are therefore the paths
 * with one literal key, in this order: at the start, longest first (`a.b.c`, then `a.b → c`), then at the end, longest first
 * (`a → b.c`). A path with brackets precedes those in which they are part of a key. Returns undefined if no event has such a
 * field.
 */
export function filterPath(field: string, shape: EventShape = EVENT_SHAPE): EventPath | undefined {
  const bracketed = bracketedParts(field);
  const [first = '', ...keys] = field.split('.');
  const rootName = bracketed?.[0] ?? first;
  if (rootName === 'session_name')
    return field === rootName ? { root: rootName, candidates: [], isMany: false } : undefined;
  const root = shape.fields.find(({ name, internal }) => name === rootName && !internal);
  if (root === undefined) return undefined;
  if (field === rootName) return { root: root.name, candidates: [], isMany: false };
  if (root.type !== 'object' && !(root.type === 'textList' && bracketed)) return undefined;
  const literal = first === rootName && root.type === 'object' ? candidatesOf(keys) : [];
  if (bracketed === undefined) return { root: root.name, candidates: literal, isMany: false };
  const isMany = bracketed.includes(ANY_ITEM);
  return { root: root.name, candidates: [bracketed.slice(1), ...literal], isMany };
}

/**
 * Returns the value of a field of an event that has one; null if it is absent. A missing end or duration is derived from the
 * other, as in responses.
 */
export function valueAt(event: Event, path: EventPath): JsonValue {
  const value = rootValue(event, path.root) as JsonValue;
  if (path.candidates.length === 0) return value;
  for (const parts of path.candidates) {
    let found = value;
    for (const part of parts) found = part === ANY_ITEM ? null : valueUnder(found, part);
    if (found !== null) return found;
  }
  return null;
}

/** Returns all values of a field that are neither absent nor null: those of the first candidate that has any. */
export function valuesAt(event: Event, path: EventPath): readonly JsonValue[] {
  const value = rootValue(event, path.root) as JsonValue;
  for (const parts of path.candidates) {
    const found = valuesUnder(value, parts).filter((one) => one !== null);
    if (found.length > 0) return found;
  }
  return [];
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

function valuesUnder(value: JsonValue, parts: readonly PathPart[]): readonly JsonValue[] {
  let values: readonly JsonValue[] = [value];
  for (const part of parts) {
    if (part === ANY_ITEM) values = values.flatMap((one) => (Array.isArray(one) ? one : []));
    else values = values.map((one) => valueUnder(one, part));
  }
  return values;
}

function valueUnder(value: JsonValue, part: string | number): JsonValue {
  if (typeof part === 'number') return Array.isArray(value) ? ((value.at(part) as JsonValue) ?? null) : null;
  return isJsonObject(value) && Object.hasOwn(value, part) ? (value[part] ?? null) : null;
}
