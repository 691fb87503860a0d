import { Type, type TSchema } from '@sinclair/typebox';
import {
  ANNOTATOR_PATTERN,
  QUEUE_EVENT_STATES,
  QUEUE_EVENT_STATUSES,
  type QueueEventState,
  type QueueEventStatus,
} from '@assay/domain';
import { choice, flag, integer, text, textOrNull } from '../../schema/fields.js';
import { updatedAt } from '../../schema/resource-fields.js';
import { eventPropertiesResponse } from '../events/event.js';
import { queueId } from './queue.js';

/** Maximum length of a comment, and of the reason of a skipped event, in characters. */
export const MAX_COMMENT_LENGTH = 4_000;
export const MAX_REASON_LENGTH = 500;

export const queueEventPath = Type.Object({
  queue_id: queueId(),
  event_id: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e', {
    minLength: 1,
    maxLength: 200,
  }),
});

/** Who reviews, as a request names it. */
export const annotator = () =>
  Type.String({
    description:
      'Who reviews: 1 to 64 letters, digits, "_" and "-". The id of the API key when absent. The control plane stores it.',
    examples: ['anna'],
    pattern: ANNOTATOR_PATTERN,
  });

/** State that a request sets. */
export const queueEventState = () =>
  choice<QueueEventState>(QUEUE_EVENT_STATES, 'State of the entry: open, completed or skipped.', 'done');

export const queueEventStatus = () =>
  choice<QueueEventStatus>(
    QUEUE_EVENT_STATUSES,
    'Status of the entry: open, leased to an annotator, completed or skipped.',
    'pending',
  );

const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<T['static'] | null>({ ...schema, type: [String(schema.type), 'null'] });

/** Properties of a queue entry. */
export const queueEventProperties = {
  event_id: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
  added_at: updatedAt(),
  done: flag('Whether the entry is completed or skipped.', false),
  done_at: textOrNull('Time of completion, ISO 8601.', null),
  status: queueEventStatus(),
  lease: orNull(
    Type.Object(
      {
        annotator: text('Who has leased it.', 'anna'),
        until: text('End of the lease, ISO 8601.', '2026-11-01T00:10:00.000Z'),
      },
      { description: 'Lease of the entry; null without one.' },
    ),
  ),
  annotator: textOrNull('Who has completed or skipped it; null until then.', null),
  annotators: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Who has completed it, in a queue whose events several annotators complete.',
      examples: [['anna', 'bert']],
    }),
  ),
  done_by: textOrNull('Id of the API key that completed or skipped it; null until then.', null),
  version: integer('Number of changes of the state; a request with an older version is rejected.', 0),
};

const preview = Type.Object(
  {
    inputs: text('Beginning of the inputs as JSON, up to 500 characters.', '{"question":"What is 2 + 2?"}'),
    outputs: text('Beginning of the outputs as JSON, up to 500 characters.', '{"content":"4"}'),
  },
  { description: 'Beginning of the event.' },
);

/** An event in a queue, with its values. */
export const queueEvent = Type.Object(
  {
    ...queueEventProperties,
    comment: textOrNull('Comment of the annotator who completed or skipped it.', null),
    reason: textOrNull('Why it was skipped.', null),
    preview: Type.Optional(preview),
    event: Type.Optional(
      Type.Object(eventPropertiesResponse, { description: 'The event; absent until it arrives.' }),
    ),
  },
  { $id: 'QueueEvent', description: 'An event in a queue.' },
);

/** How many entries of a queue have each status. */
export const queueCounts = Type.Object(
  {
    pending: integer('Open entries without a lease whose events have arrived.', 12),
    not_arrived: integer(
      'Open entries without a lease whose events have not arrived, among the oldest 1,000.',
      0,
    ),
    leased: integer('Entries that an annotator has leased.', 1),
    done: integer('Completed entries.', 30),
    skipped: integer('Skipped entries.', 2),
  },
  { description: 'Number of entries by status.' },
);
