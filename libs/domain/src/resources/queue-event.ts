/** States of an event in a queue that a request sets. */
export const QUEUE_EVENT_STATES = ['pending', 'done', 'skipped'] as const;
export type QueueEventState = (typeof QUEUE_EVENT_STATES)[number];

/** States of an event in a queue. An open event is `leased` while an annotator has a lease. */
export const QUEUE_EVENT_STATUSES = [...QUEUE_EVENT_STATES, 'leased'] as const;
export type QueueEventStatus = (typeof QUEUE_EVENT_STATUSES)[number];
