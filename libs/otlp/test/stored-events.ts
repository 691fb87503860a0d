import { foldState, type Event, type FoldRecord, type StoredState } from '@assay/domain';
import type { MappedTraces } from '../src/to-events.js';

/** What mapped requests append to the log: creates, and updates of other events. */
type Appended = { readonly event: Event } | MappedTraces['patches'][number];

/**
 * Folds mapped requests into events by their ids, as the reader of the log does. Events of calling spans that it hands over
 * are appended, and read like the others.
 */
export class StoredEvents {
  private readonly states = new Map<string, StoredState>();
  private version = 0;

  store({ events, patches }: Pick<MappedTraces, 'events' | 'patches'>): void {
    const queue: Appended[] = [...events.map((event) => ({ event })), ...patches];
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      for (const event of this.fold(next)) queue.push({ event });
  }

  /** All events by start and name. */
  all(): Event[] {
    const events = [...this.states.values()].flatMap(({ event }) => event ?? []);
    return events
      .map(({ version: _, ...event }) => event)
      .sort((a, b) => a.start_time - b.start_time || (a.event_name < b.event_name ? -1 : 1));
  }

  private fold(appended: Appended): readonly Event[] {
    const version = this.version++;
    const [id, record]: [string, FoldRecord] =
      'event' in appended
        ? [appended.event.event_id, { version, kind: 'event', event: appended.event }]
        : [
            appended.eventId,
            { version, kind: 'patch', patch: appended.patch, updateId: JSON.stringify(appended.patch) },
          ];
    const folded = foldState(this.states.get(id) ?? {}, [record]);
    const event = folded.event && { ...folded.event, version: folded.version };
    this.states.set(id, { event, changes: folded.changes });
    return folded.displaced ?? [];
  }
}
