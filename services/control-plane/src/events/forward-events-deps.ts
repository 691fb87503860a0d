import type { EventEntries, ToldEvent } from './indexed-event.js';

/** What keeping forwarded events works with. */
export interface ForwardEventsDeps {
  readonly events: EventEntries;
  /** Takes each event to the queues that want it. Called again for what is told again. */
  readonly routeToQueues: (told: readonly ToldEvent[]) => Promise<void>;
  /** Takes an event out of all queues. */
  readonly removeFromQueues: (projectId: string, eventId: string) => Promise<void>;
}
