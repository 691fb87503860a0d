import { Type, type Static } from '@sinclair/typebox';
import { QUEUE_EVENT_STATES, type QueueEventState } from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, text, textList } from '../schema/fields.js';
import { BODY_BYTES, orNull, queueName, wholeNumber } from './fields.js';
import { queueCounts, queueEntry } from './queue-entry.js';

const ACTIONS = ['next', 'hold', 'release'] as const;
const OUTCOMES = ['ok', 'no_queue', 'no_event', 'leased_by_other', 'stale', 'too_many'] as const;

const queueLease = Type.Object({
  ...queueName,
  action: choice<(typeof ACTIONS)[number]>(
    ACTIONS,
    'Lease the oldest open event; lease this event to write to it; or end the lease of this event.',
    'next',
  ),
  annotator: text('Who reviews.', 'anna'),
  eventId: Type.Optional(text('Id of the event; absent for next.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e')),
  eventIds: Type.Optional(
    textList('For next: the only events that may be leased, at most 1,000; absent for all.', []),
  ),
  version: Type.Optional(wholeNumber('For hold: the version that the annotator has seen.', 0)),
  status: Type.Optional(
    choice<QueueEventState>(QUEUE_EVENT_STATES, 'For hold: the state that follows.', 'done'),
  ),
});
export type QueueLease = Readonly<Static<typeof queueLease>>;

const queueLeaseResult = Type.Object({
  outcome: choice<(typeof OUTCOMES)[number]>(OUTCOMES, 'Whether it was done, or why not.', 'ok'),
  entry: orNull(queueEntry),
  counts: orNull(queueCounts),
});
export type QueueLeaseResult = Readonly<Static<typeof queueLeaseResult>>;

export const leaseQueueEvent = defineRoute({
  operation: 'leaseQueueEvent',
  method: 'POST',
  path: '/internal/v1/queues/lease',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Lease an event of a queue, or end its lease',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: queueLease,
  response: queueLeaseResult,
});
