import type { JsonValue } from '../../json.js';
import { completeEnd } from '../time/check-times.js';
import type { Event } from '../event.js';
import { EVENT_SHAPE, namesWhere, type EventShape, type FieldName } from '../event-shape.js';
import { sessionName } from '../session-name.js';
import { DottedPath } from './dotted-path.js';
import { bracketedParts, ANY_ITEM, type PathPart } from './field-parts.js';
import { valuesUnder, valueUnder, type TakeWork } from './value-under.js';

/** Fields as they are returned: a session also has its name as `session_name`, which no other event has. */
export type RootField = FieldName | 'session_name';

/** The fields of an event that a filter can name. */
export const ROOT_FIELDS = rootFieldsOf(EVENT_SHAPE);

/** The fields of a shape that a filter can name. */
export function rootFieldsOf(shape: EventShape): readonly RootField[] {
  return [...namesWhere(shape.fields, ({ internal }) => !internal), 'session_name'];
}

/**
 * Where the value of a field may be: in `root`, under each of its {@link candidatesOf}. The first value that is neither absent
 * nor null is the field's value.
 */
export interface EventPath {
  readonly root: RootField;
  /** Whether it leads into the value of the root; if not, it is the root itself. */
  readonly isNested: boolean;
  /** Whether the path leads to any item of a list, so that there may be many values. */
  readonly isMany: boolean;
  /** The steps of a path that is written with brackets. */
  readonly bracketed?: readonly PathPart[];
  /** What is behind the first dot. */
  readonly dotted?: DottedPath;
}

/** Returns where the one value of a field is; undefined if no event has such a field, or if it may have many values. */
export function eventPath(field: string, shape: EventShape = EVENT_SHAPE): EventPath | undefined {
  const path = filterPath(field, shape);
  return path?.isMany ? undefined : path;
}

/**
 * Reads a field of a filter, such as `metadata.env`, `inputs.messages[0].content` or `inputs.messages[*].role`. Keys of user
 * data, such as span attributes, may contain dots, see {@link DottedPath}. A path with brackets precedes those in which they are
 * part of a key. Returns undefined if no event has such a field.
 */
export function filterPath(field: string, shape: EventShape = EVENT_SHAPE): EventPath | undefined {
  const bracketed = bracketedParts(field);
  const [first = ''] = field.split('.', 1);
  const rootName = bracketed?.[0] ?? first;
  if (rootName === 'session_name')
    return field === rootName ? { root: rootName, isNested: false, isMany: false } : undefined;
  const root = shape.fields.find(({ name, internal }) => name === rootName && !internal);
  if (root === undefined) return undefined;
  if (field === rootName) return { root: root.name, isNested: false, isMany: false };
  if (root.type !== 'object' && !(root.type === 'textList' && bracketed)) return undefined;
  const isDotted = first === rootName && root.type === 'object';
  const dotted = isDotted ? { dotted: new DottedPath(field.slice(first.length + 1)) } : {};
  return { root: root.name, isNested: true, ...inBrackets(bracketed), ...dotted };
}

function inBrackets(parts: readonly PathPart[] | undefined): Pick<EventPath, 'isMany' | 'bracketed'> {
  return parts === undefined
    ? { isMany: false }
    : { isMany: parts.includes(ANY_ITEM), bracketed: parts.slice(1) };
}

/** Returns the lists of steps into the value of the root that lead to the value of a field, in their order; none for a root. */
export function* candidatesOf({ bracketed, dotted }: EventPath): Generator<readonly PathPart[]> {
  if (bracketed) yield bracketed;
  if (dotted) yield* dotted.candidates();
}

/** Returns the characters of the keys that {@link valueAt} may look up in addition to the path itself. */
export function literalCharacters({ dotted }: EventPath): number {
  return dotted?.literalCharacters() ?? 0;
}

/**
 * Returns the value of a field of an event that has one; null if it is absent. A missing end or duration is derived from the
 * other, as in responses.
 */
export function valueAt(event: Event, path: EventPath): JsonValue {
  const value = rootValue(event, path.root) as JsonValue;
  if (!path.isNested) return value;
  let found: JsonValue = path.bracketed ? value : null;
  for (const part of path.bracketed ?? []) found = part === ANY_ITEM ? null : valueUnder(found, part);
  return found ?? path.dotted?.valueIn(value) ?? null;
}

/**
 * Returns all values of a field that are neither absent nor null: those of the first candidate that has any. Undefined when
 * `take` refuses to read so many.
 */
export function valuesAt(event: Event, path: EventPath, take: TakeWork): readonly JsonValue[] | undefined {
  const value = rootValue(event, path.root) as JsonValue;
  const items = valuesUnder(value, path.bracketed ?? [], take)?.filter((one) => one !== null);
  if (items === undefined || items.length > 0) return items;
  const literal = path.dotted?.valueIn(value) ?? null;
  return literal === null ? [] : [literal];
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
