import { randomUUID } from 'node:crypto';
import { acceptEvent, type Event, type EventInput } from '@assay/domain';

/** Noon of a fixed day, so that a test can name the times of its events. */
export const EVENT_TIME = Date.UTC(2026, 0, 1, 12);

export interface EventOwner {
  readonly projectId?: string;
  /** Time at which the event arrives, in Unix milliseconds. */
  readonly now?: number;
}

/** An accepted event: a tool call with the defaults of the product, and what `input` sets. */
export function anEvent(
  input: Partial<EventInput> = {},
  { projectId = 'p1', now = EVENT_TIME }: EventOwner = {},
): Event {
  return acceptEvent({ event_type: 'tool', inputs: {}, ...input }, { projectId, now, newId: randomUUID })
    .event;
}
