import type { UnreadEvent } from './event-store.js';
import type { EventRowRead } from './events-port.js';
import { startHour } from '@assay/event-rows';

/** Returns what is needed to read the whole event of a row. */
export function unreadEvent({
  event,
  payloadBytes,
}: Pick<EventRowRead, 'event' | 'payloadBytes'>): UnreadEvent {
  const { event_id: eventId, session_id: sessionId, start_time: startTime } = event;
  return { eventId, sessionId, startHour: startHour(startTime), payloadBytes };
}
