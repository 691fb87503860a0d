import { Type, type TOptional, type TSchema, type TUnsafe } from '@sinclair/typebox';
import {
  EVENT_FIELDS,
  EVENT_SHAPE,
  type Event,
  type EventField,
  type EventShape,
  type FieldName,
  type FieldsWith,
  type NamedField,
} from '@assay/domain';
import { anyJson, objectOrList, text } from '../../schema/fields.js';
import { numberIn } from '../../schema/resource-fields.js';

type Fields = typeof EVENT_FIELDS;
type InternalField = FieldsWith<{ readonly internal: true }>;
type AssignedField = FieldsWith<{ readonly assigned: true }>;
/** Unknown times are absent in responses, never null. */
type NullableTime = 'end_time' | 'duration';

/** Schema of a field: its value, without null for times. */
type FieldSchema<Name extends FieldName> = TUnsafe<
  Name extends NullableTime ? NonNullable<Event[Name]> : Event[Name]
>;
type OptionalFields<Name extends FieldName> = { [Key in Name]: TOptional<FieldSchema<Key>> };

/** JSON schema of the values of a declared field. */
export function fieldSchema<Name extends FieldName>(name: Name): FieldSchema<Name> {
  return schemaOf(EVENT_FIELDS[name]) as FieldSchema<Name>;
}

function schemaOf(field: EventField): TSchema {
  return Type.Unsafe({ ...typeSchema(field), description: field.description, examples: [field.example] });
}

function typeSchema({ type, choices }: EventField): object {
  switch (type) {
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'text':
      return choices === undefined ? { type: 'string' } : { type: 'string', enum: [...choices] };
    case 'textOrNull':
      return { type: ['string', 'null'] };
    case 'textList':
      return { type: 'array', items: { type: 'string' } };
    case 'number':
    case 'numberOrNull':
      return { type: 'number', minimum: 0 };
    case 'object':
      return { type: 'object' };
  }
}

/** Schemas of the fields of a shape that a condition holds for, each optional. */
function optionalSchemas({ fields }: EventShape, holds: (field: NamedField) => boolean) {
  return Object.fromEntries(
    fields.filter(holds).map((field) => [field.name, Type.Optional(schemaOf(field))]),
  );
}

/** The fields that a client may send besides the type and the inputs, each optional. */
export const optionalFields = (shape: EventShape = EVENT_SHAPE) =>
  optionalSchemas(
    shape,
    ({ name, assigned }) => !assigned && name !== 'event_type' && name !== 'inputs',
  ) as OptionalFields<Exclude<FieldName, AssignedField | 'event_type' | 'inputs'>>;

/** The fields that an update may set, each optional. */
export const updatableFields = (shape: EventShape = EVENT_SHAPE) =>
  optionalSchemas(shape, ({ updatable }) => updatable === true) as OptionalFields<
    FieldsWith<{ readonly updatable: true }>
  >;

/** The fields that the API returns. */
export const returnedFields = ({ fields }: EventShape = EVENT_SHAPE) =>
  Object.fromEntries(
    fields.filter(({ internal }) => !internal).map((field) => [field.name, schemaOf(field)]),
  ) as { [Name in Exclude<keyof Fields, InternalField>]: FieldSchema<Name> };

export const eventId = () => fieldSchema('event_id');
export const sessionId = () => fieldSchema('session_id');
export const eventType = () => fieldSchema('event_type');
export const inputs = () => fieldSchema('inputs');

/** Name of a session that is sent as an event. */
export const sentSessionName = () =>
  text('Name of the session, for events of type session; the event_name when absent.', 'chat');

/** A negative duration follows from an end before the start, when clocks disagree. */
export const durationResponse = () =>
  numberIn('Duration of the step, in milliseconds; negative if its end is before its start.', 250);

/** Outputs as a client sends them. */
export const sentOutputs = () =>
  objectOrList('Outputs of the step; a list is stored as {"value": [...]}.', { answer: 'Paris' });

/** Outputs and error on the deprecated routes, which take any JSON value. */
export const anyOutputs = (subject = 'step') =>
  anyJson(`Outputs of the ${subject}; a value that is not an object is stored as {"value": ...}.`, {
    answer: 'Paris',
  });
export const anyError = (subject = 'step') =>
  anyJson(`Error that ended the ${subject}; a value that is not a string is stored as JSON text.`, null);
