import { Type, type Static } from '@sinclair/typebox';
import { integer, text, textOrNull } from '../../schema/fields.js';

const ID = 'store-1-0-4711';
const PROJECT = '65c13dbbd65fb876b7886cdb';

export const deadLetterIdText = text('Id of the dead letter.', ID, { minLength: 1, maxLength: 100 });

/** Dead letter: the record's origin and the reason, never its content. */
export const deadLetter = Type.Object(
  {
    id: text('Id of the dead letter.', ID),
    at: text('When the record became a dead letter, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    project_id: textOrNull('Project of the record; null: unknown.', PROJECT),
    event_id: text('Key of the record: the id of its event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    group: text('Consumer group that failed on the record.', 'store'),
    error_class: text('Class of the failure.', 'VALIDATION_ERROR'),
    partition: integer('Partition of the record.', 0),
    offset: integer('Offset of the record in its partition.', 4711),
    bytes: integer('Size of the value.', 2048),
  },
  { $id: 'DeadLetter', description: 'A record that failed permanently.' },
);
export type DeadLetterResponse = Static<typeof deadLetter>;

/** Fields that select dead letters; a letter has to match all that are present. */
export const deadLetterFilter = {
  group: Type.Optional(
    text('Only letters of this consumer group.', 'store', { minLength: 1, maxLength: 100 }),
  ),
  error_class: Type.Optional(
    text('Only letters of this class of failure.', 'VALIDATION_ERROR', { minLength: 1, maxLength: 100 }),
  ),
  project_id: Type.Optional(text('Only letters of this project.', PROJECT, { minLength: 1, maxLength: 200 })),
};

/** Fields of the body of a request that changes several dead letters. */
export const deadLetterSelection = {
  ids: Type.Optional(
    Type.Array(deadLetterIdText, {
      minItems: 1,
      maxItems: 1_000,
      description: 'Only these letters.',
      examples: [[ID]],
    }),
  ),
  ...deadLetterFilter,
};
