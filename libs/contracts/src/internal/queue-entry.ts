import { Type, type Static } from '@sinclair/typebox';
import { QUEUE_EVENT_STATUSES, type QueueEventStatus } from '@assay/domain';
import { choice, flag, text, textOrNull } from '../schema/fields.js';
import { orNull, readonlyList, wholeNumber } from './fields.js';

const lease = Type.Object(
  {
    annotator: text('Who has leased it.', 'anna'),
    until: text('End of the lease, ISO 8601.', '2026-11-01T00:10:00.000Z'),
  },
  { description: 'The lease; null without one.' },
);

/** An event in a queue. */
export const queueEntry = Type.Object(
  {
    eventId: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    addedAt: text('When it was added, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    done: flag('Whether it is done or skipped.', false),
    doneAt: textOrNull('When it was done or skipped, ISO 8601.', null),
    status: choice<QueueEventStatus>(QUEUE_EVENT_STATUSES, 'Status of the event.', 'pending'),
    lease: orNull(lease),
    annotator: textOrNull('Who has completed or skipped it.', null),
    annotators: Type.Optional(
      readonlyList(Type.String(), 'Who has completed it, if several annotators do.', ['anna']),
    ),
    doneBy: textOrNull('Id of the key that completed or skipped it.', null),
    version: wholeNumber('Number of changes of the state.', 0),
  },
  { description: 'An event in the queue.' },
);
export type QueueEntry = Readonly<Static<typeof queueEntry>>;

/** How many entries of a queue have each status. */
export const queueCounts = Type.Object(
  {
    pending: wholeNumber('Open entries without a lease.', 12),
    leased: wholeNumber('Entries with a lease.', 1),
    done: wholeNumber('Completed entries.', 30),
    skipped: wholeNumber('Skipped entries.', 2),
  },
  { description: 'Number of entries by status.' },
);
export type QueueCounts = Readonly<Static<typeof queueCounts>>;
