import { Type, type Static } from '@sinclair/typebox';
import { QUEUE_EVENT_STATUSES, type QueueEventStatus } from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, flag } from '../schema/fields.js';
import { BODY_BYTES, MAX_ITEMS, orNull, queueName, readonlyList, wholeNumber } from './fields.js';
import { queueCounts, queueEntry } from './queue-entry.js';

const queueEntryQuery = Type.Object({
  ...queueName,
  isDone: Type.Optional(flag('Only events that are done, or that are not; absent: all.', false)),
  status: Type.Optional(
    choice<QueueEventStatus>(QUEUE_EVENT_STATUSES, 'Only events of this status.', 'pending'),
  ),
  limit: wholeNumber('Largest number of entries.', 100, { minimum: 1, maximum: MAX_ITEMS }),
  offset: wholeNumber('Number of entries to skip.', 0),
});
export type QueueEntryQuery = Readonly<Static<typeof queueEntryQuery>>;

const queueEntryPage = Type.Object(
  {
    entries: readonlyList(queueEntry, 'The entries, in the order in which they were added.', []),
    total: wholeNumber('Number of entries on all pages.', 1),
    counts: queueCounts,
  },
  { description: 'The page; null when the project has no such queue.' },
);
export type QueueEntryPage = Readonly<Static<typeof queueEntryPage>>;

export const listQueueEntries = defineRoute({
  operation: 'listQueueEntries',
  method: 'POST',
  path: '/internal/v1/queues/entries',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'List the events of a queue by their ids',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: queueEntryQuery,
  response: Type.Object({ page: orNull(queueEntryPage) }),
});
