import type { RunEvent, RunSession } from './run-events.js';

/** Events of two runs on the same datapoint. */
export interface RunEventPair {
  readonly datapointId: string;
  readonly oldEventId: string;
  readonly newEventId: string;
}

/**
 * Pairs the selected events of two runs by datapoint and name, in the order of the old run. Sessions are paired
 * whatever their names, once per datapoint; of several events of one name, the first with the first, and so on.
 */
export function pairRunEvents(
  oldSessions: readonly RunSession[],
  newSessions: readonly RunSession[],
): RunEventPair[] {
  const newByKey = eventsByKey(newSessions);
  return [...eventsByKey(oldSessions)].flatMap(([key, { datapointId, events }]) => {
    const others = newByKey.get(key)?.events ?? [];
    return events.flatMap((oldEventId, index) => {
      const newEventId = others[index];
      return newEventId === undefined ? [] : [{ datapointId, oldEventId, newEventId }];
    });
  });
}

interface KeyedEvents {
  readonly datapointId: string;
  readonly events: string[];
}

function eventsByKey(sessions: readonly RunSession[]): Map<string, KeyedEvents> {
  const byKey = new Map<string, KeyedEvents>();
  for (const session of sessions) {
    for (const event of session.events) {
      const datapointId = event.datapointId === '' ? session.datapointId : event.datapointId;
      if (!event.isSelected || datapointId === undefined) continue;
      const key = keyOf(event, datapointId);
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, { datapointId, events: [event.eventId] });
      else if (!isSession(event)) known.events.push(event.eventId);
    }
  }
  return byKey;
}

function keyOf(event: RunEvent, datapointId: string): string {
  return JSON.stringify(isSession(event) ? [datapointId] : [datapointId, event.eventName]);
}

function isSession({ eventType }: RunEvent): boolean {
  return eventType === 'session';
}
