import type { EventEntryCollection, ForwardedUpsert } from './indexed-event.js';

/** What keeping forwarded events works with. */
export interface ForwardEventsDeps {
  readonly events: EventEntryCollection;
  /** Takes each event to the queues that want it. Called again for what is told again. */
  readonly routeToQueues: (told: readonly ForwardedUpsert[]) => Promise<void>;
  /** Takes an event out of all queues. */
  readonly removeFromQueues: (projectId: string, eventId: string) => Promise<void>;
}
