import type { Event } from '@assay/domain';
import { startHour } from '@assay/event-rows';
import { RecentValues } from './recent-values.js';
import type { RowKey } from '../rows/row-key.js';

/** Events of one page whose locations are noted, so that a large page does not evict all others. */
const MAX_EVENTS_OF_PAGE = 1_000;

/** Where an event was when it was read. */
export interface EventLocation extends RowKey {
  readonly event_type: string;
}

type LocatedEvent = Pick<Event, 'event_id' | 'session_id' | 'start_time'> & { readonly event_type: string };

/**
 * The locations of events that were returned lately. They only say where to look before the row of an event is known: what is
 * found there counts if the row is still there.
 */
export class EventLocations {
  readonly #locations: RecentValues<EventLocation>;

  /** `capacity`: events, about 300 bytes each. */
  constructor(capacity: number) {
    this.#locations = new RecentValues(capacity);
  }

  get(projectId: string, eventId: string): EventLocation | undefined {
    return this.#locations.get(projectId, eventId);
  }

  /** Notes the locations of the events that are being read, and returns what was read. */
  async noteRead<Read extends { readonly events: readonly LocatedEvent[] } | undefined>(
    projectId: string,
    reading: Promise<Read>,
  ): Promise<Read> {
    const read = await reading;
    this.note(projectId, read?.events ?? []);
    return read;
  }

  note(projectId: string, events: readonly LocatedEvent[]): void {
    for (const event of events.slice(0, MAX_EVENTS_OF_PAGE))
      this.#locations.set(projectId, event.event_id, {
        key_event: event.event_id,
        key_session: event.session_id,
        key_hour: startHour(event.start_time),
        event_type: event.event_type,
      });
  }
}
