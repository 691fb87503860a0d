import { Type } from '@sinclair/typebox';
import { flag, text, textOrNull } from '../../schema/fields.js';
import { updatedAt } from '../../schema/resource-fields.js';
import { queueId } from './queue.js';

export const queueEventPath = Type.Object({
  queue_id: queueId(),
  event_id: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e', {
    minLength: 1,
    maxLength: 200,
  }),
});

/** Properties of a queue entry. */
export const queueEventProperties = {
  event_id: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
  added_at: updatedAt(),
  done: flag('Whether the entry is completed.', false),
  done_at: textOrNull('Time of completion, ISO 8601.', null),
};
