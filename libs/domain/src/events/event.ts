import type { JsonValue } from '../json.js';
import { defaultOf, type FieldValue, type SentValue } from './event-field.js';
import {
  EVENT_SHAPE,
  type EVENT_FIELDS,
  type EVENT_ORIGINS,
  type EVENT_TYPES,
  type EventShape,
  type FieldsWith,
  type NamedField,
} from './event-shape.js';

type Fields = typeof EVENT_FIELDS;

export type EventType = (typeof EVENT_TYPES)[number];
export type EventOrigin = (typeof EVENT_ORIGINS)[number];

/**
 * A complete event: ids are assigned and every field has a value. Field names are those of the API. A session
 * is an event with `event_type` `session` whose `event_id` equals its `session_id`.
 */
export type Event = { -readonly [Name in keyof Fields]: FieldValue<Fields[Name]> };

/**
 * An event as a client sends it, checked for shape. Only a session has a `session_name`. Times are Unix milli-, micro- or nanoseconds, the
 * duration milliseconds.
 */
export type EventInput = Pick<Event, 'event_type'> & {
  readonly [
    Name in Exclude<keyof Fields, FieldsWith<{ readonly assigned: true }> | 'event_type'>
  ]?: Sent<Name>;
} & { readonly session_name?: string };

/** An update as a client sends it, checked for shape. Null, other names, and a start that is not a number have no effect. */
export type UpdateInput = { readonly [Name in Exclude<UpdatableField, 'start_time'>]?: Sent<Name> | null } & {
  readonly start_time?: JsonValue;
};

/**
 * The fields that an update sets. Objects of {@link MERGED_BUCKETS} merge per key, other fields are replaced.
 * Times are Unix milliseconds.
 */
export type EventPatch = { -readonly [Name in UpdatableField]?: NonNullable<Event[Name]> };

type UpdatableField = FieldsWith<{ readonly updatable: true }>;
/** Only the parent may be sent as null. */
type Sent<Name extends keyof Fields> =
  | Exclude<SentValue<Fields[Name]>, Fields[Name] extends { readonly acceptsAnyJson: true } ? never : null>
  | (Name extends 'parent_id' ? null : never);

export const BUCKETS = EVENT_SHAPE.buckets;
export const MERGED_BUCKETS = EVENT_SHAPE.mergedBuckets;

/** Builds an event from a function that gives the value of each field, in the order of the declaration. */
export function eventFrom(shape: EventShape, valueOf: (field: NamedField) => JsonValue): Event {
  const event: Record<string, JsonValue> = { ...shape.template };
  for (const field of shape.fields) event[field.name] = valueOf(field);
  return event as Event;
}

/** An event whose fields are all defaults. */
export function emptyEvent(shape: EventShape = EVENT_SHAPE): Event {
  return eventFrom(shape, defaultOf);
}
