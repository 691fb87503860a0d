import type { StoredRunEvent } from '../../../aggregates-port.js';

/** Each event once. An event has a second row while its sort key changes; the newest version counts. */
export class NewestRunEvents {
  readonly events: StoredRunEvent[] = [];
  readonly #versions: number[] = [];
  readonly #indexes = new Map<string, number>();

  put(eventId: string, version: number, makeEvent: () => StoredRunEvent): void {
    const target = this.#indexes.get(eventId) ?? this.events.length;
    const known = this.#versions[target];
    if (known !== undefined && known >= version) return;
    if (known === undefined) this.#indexes.set(eventId, target);
    this.events[target] = makeEvent();
    this.#versions[target] = version;
  }
}

/** Sessions whose own event names a run. */
export function sessionsNamingRuns(events: readonly StoredRunEvent[]): string[] {
  return events.filter(({ eventId, sessionId }) => eventId === sessionId).map(({ eventId }) => eventId);
}
