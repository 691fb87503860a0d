import type { RunEvent } from '@assay/domain';
import { EventPositions } from './event-positions.js';

/** Each event once. An event has a second row while its sort key changes; the newest version counts. */
export class NewestRunEvents {
  readonly events: RunEvent[] = [];
  readonly #versions: number[] = [];
  readonly #positions = new EventPositions();

  put(eventId: string, version: number, makeEvent: () => RunEvent): void {
    const target = this.#positions.add(eventId);
    const known = this.#versions[target];
    if (known !== undefined && known >= version) return;
    this.events[target] = makeEvent();
    this.#versions[target] = version;
  }
}

/** Sessions whose own event names a run. */
export function sessionsNamingRuns(events: readonly RunEvent[]): string[] {
  return events.filter(({ eventId, sessionId }) => eventId === sessionId).map(({ eventId }) => eventId);
}
