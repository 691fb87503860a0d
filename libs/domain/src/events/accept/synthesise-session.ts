import { emptyEvent, type Event } from '../event.js';

/**
 * Creates the minimal session of events whose session no client has sent: it spans all of them and has the
 * source of the earliest. Whatever a client sends under its id takes precedence.
 * @param events of one session, at least one
 */
export function synthesiseSession(events: readonly [Event, ...Event[]]): Event {
  const earliest = events.reduce((first, event) => (event.start_time < first.start_time ? event : first));
  const start = earliest.start_time;
  const end = events.reduce((last, event) => Math.max(last, event.end_time ?? event.start_time), start);
  return {
    ...emptyEvent(),
    project_id: earliest.project_id,
    event_id: earliest.session_id,
    session_id: earliest.session_id,
    event_type: 'session',
    source: earliest.source,
    start_time: start,
    end_time: end,
    duration: end - start,
    origin: 'synthesised',
  };
}
