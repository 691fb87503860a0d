import { Type, type Static } from '@sinclair/typebox';
import { flag, text, textOrNull } from '../schema/fields.js';

/** An event in a queue. */
export const queueEntry = Type.Object(
  {
    eventId: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    addedAt: text('When it was added, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    done: flag('Whether it is marked as done.', false),
    doneAt: textOrNull('When it was marked as done, ISO 8601.', null),
  },
  { description: 'An event in the queue.' },
);
export type QueueEntry = Readonly<Static<typeof queueEntry>>;
