import type { JsonValue } from '../json.js';
import type { EventField, NamesWhere } from './event-field.js';

export const EVENT_TYPES = ['session', 'model', 'tool', 'chain'] as const;

/**
 * `sent`: a client created this event. `synthesised`: a session that no client sent, created when its first
 * event arrived. Whatever a client sends for the same id takes precedence, per field.
 */
export const EVENT_ORIGINS = ['sent', 'synthesised'] as const;

/** Default name of events, sessions and sources. */
export const UNKNOWN = 'unknown';

/**
 * The fields of an event, in the order in which an event object holds them. Types, acceptance, merging,
 * redaction, filters, the row format, columns and schemas are derived from this declaration. A new field may
 * be added at any position, with `addedIn` set to the number of the event store's next migration; its value
 * is at the end of the row.
 */
export const EVENT_FIELDS = {
  project_id: {
    type: 'text',
    description: 'Id of the project.',
    example: '65c13dbbd65fb876b7886cdb',
    assigned: true,
  },
  /** Lower-case UUID, unique within the project. */
  event_id: {
    type: 'uuid',
    description: 'Id of the event, unique within the project.',
    example: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    isId: true,
  },
  /** Lower-case UUID of the session event at the root of this event's tree. */
  session_id: {
    type: 'uuid',
    description: 'Id of the session that the event belongs to.',
    example: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    isId: true,
  },
  /** Id of the parent event. The session's id for a root event; null for a session. */
  parent_id: {
    type: 'textOrNull',
    description: 'Id of the parent event; null for a session.',
    example: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    isId: true,
    leaves: 'id',
  },
  /** Ids of children that the sender named. */
  children_ids: {
    type: 'textList',
    description: 'Ids of the child events.',
    example: [],
    isId: true,
    updatable: true,
    merge: 'nonDefault',
    leaves: 'id',
  },
  event_type: {
    type: 'text',
    choices: EVENT_TYPES,
    description: 'Type of the step: session, model call, tool call, or chain (anything else).',
    example: 'model',
    updatable: true,
  },
  event_name: {
    type: 'text',
    description: 'Name of the step, such as the function or the span.',
    example: 'answer_question',
    default: UNKNOWN,
    updatable: true,
    merge: 'nonDefault',
    redactable: true,
    leaves: 'name',
  },
  source: {
    type: 'text',
    description: 'Source of the event: an environment or a program.',
    example: 'prod',
    default: UNKNOWN,
    updatable: true,
    merge: 'nonDefault',
    redactable: true,
    leaves: 'name',
  },
  /** Unix milliseconds; a fraction carries microseconds. */
  start_time: {
    type: 'number',
    description: 'Start time of the step, in Unix milliseconds.',
    example: 1795255200000,
    instant: true,
    updatable: true,
  },
  /** Unix milliseconds, or null while the event has not ended. */
  end_time: {
    type: 'numberOrNull',
    description: 'End time of the step, in Unix milliseconds.',
    example: 1795255200250,
    instant: true,
    updatable: true,
  },
  /** Milliseconds, or null when unknown. */
  duration: {
    type: 'numberOrNull',
    description: 'Duration of the step, in milliseconds.',
    example: 250,
    updatable: true,
  },
  error: {
    type: 'textOrNull',
    description: 'Error that ended the step; null on success.',
    example: null,
    acceptsAnyJson: true,
    updatable: true,
    merge: 'nonDefault',
    redactable: true,
  },
  inputs: {
    type: 'object',
    description: 'Inputs of the step.',
    example: { question: 'What is the capital of France?' },
    updatable: true,
    merge: 'nonDefault',
    redactable: true,
    payload: true,
    indexRank: 6,
  },
  outputs: {
    type: 'object',
    description: 'Outputs of the step.',
    example: { answer: 'Paris' },
    acceptsAnyJson: true,
    updatable: true,
    merge: 'nonDefault',
    redactable: true,
    payload: true,
    indexRank: 7,
  },
  config: {
    type: 'object',
    description: 'Settings of the step, such as model and template.',
    example: { model: 'gpt-4o', provider: 'openai' },
    updatable: true,
    merge: 'byKey',
    redactable: true,
    payload: true,
    indexRank: 4,
  },
  metadata: {
    type: 'object',
    description: 'Metadata of the step, such as cost, tokens, run id and datapoint id.',
    example: { total_tokens: 42 },
    updatable: true,
    merge: 'byKey',
    redactable: true,
    indexRank: 1,
  },
  metrics: {
    type: 'object',
    description: 'Scores by evaluator name.',
    example: { accuracy: 0.9 },
    updatable: true,
    merge: 'byKey',
    redactable: true,
    indexRank: 3,
  },
  feedback: {
    type: 'object',
    description: 'Human feedback and the ground truth.',
    example: { rating: 5 },
    updatable: true,
    merge: 'byKey',
    redactable: true,
    indexRank: 2,
  },
  user_properties: {
    type: 'object',
    description: 'Properties of the user on whose behalf the step ran.',
    example: { user_id: 'u-1' },
    updatable: true,
    merge: 'byKey',
    redactable: true,
    indexRank: 5,
  },
  /** See {@link EVENT_ORIGINS}. */
  origin: {
    type: 'text',
    choices: EVENT_ORIGINS,
    description: 'Whether a client sent the event.',
    example: 'sent',
    assigned: true,
    internal: true,
  },
} as const satisfies Readonly<Record<string, EventField>>;

export type FieldName = keyof typeof EVENT_FIELDS;
/** Names of the fields whose declaration has these properties. */
export type FieldsWith<Properties> = NamesWhere<typeof EVENT_FIELDS, Properties>;

/** A declared field with its name. */
export type NamedField = EventField & { readonly name: FieldName };

/** The open objects of an event. */
export type Bucket = FieldsWith<{ readonly type: 'object' }>;
/** The open objects that an update merges per key (shallowly). */
export type MergedBucket = FieldsWith<{ readonly merge: 'byKey' }>;

/** Declared fields in their order, for code that handles every field by its declaration. */
export interface EventShape {
  readonly fields: readonly NamedField[];
  readonly buckets: readonly Bucket[];
  readonly mergedBuckets: readonly MergedBucket[];
  /**
   * Object with all fields, copied before they are set: adding this many fields one by one makes V8 use a
   * slow hash table.
   */
  readonly template: Readonly<Record<string, JsonValue>>;
}

/** Returns the shape of a declaration, which may have more fields than {@link EVENT_FIELDS}. */
export function shapeOf(declared: Readonly<Record<string, EventField>>): EventShape {
  const fields = Object.entries(declared).map(([name, field]) => ({ ...field, name: name as FieldName }));
  const names = fields.map(({ name }) => [name, null]);
  return {
    fields,
    buckets: namesWhere(fields, ({ type }) => type === 'object') as Bucket[],
    mergedBuckets: namesWhere(fields, ({ merge }) => merge === 'byKey') as MergedBucket[],
    template: JSON.parse(JSON.stringify(Object.fromEntries(names))) as Record<string, JsonValue>,
  };
}

/** Returns the names of the fields that satisfy the condition, in their order. */
export function namesWhere(
  fields: readonly NamedField[],
  holds: (field: NamedField) => boolean | undefined,
): FieldName[] {
  return fields.filter(holds).map(({ name }) => name);
}

export const EVENT_SHAPE = shapeOf(EVENT_FIELDS);

/** The open objects that are stored apart from the other fields. */
export type PayloadField = FieldsWith<{ readonly payload: true }>;
export const PAYLOAD_FIELDS = namesWhere(EVENT_SHAPE.fields, ({ payload }) => payload) as PayloadField[];
