import { UNKNOWN } from './accept-event.js';
import type { Event } from '../event.js';

/**
 * The least that can be said about the session of these events, for when nobody sent it: it spans them all and has the source of the
 * earliest. Anything that a client sends under its id wins over it.
 * @param events of one session, at least one
 */
export function synthesiseSession(events: readonly [Event, ...Event[]]): Event {
  const earliest = events.reduce((first, event) => (event.start_time < first.start_time ? event : first));
  const start = earliest.start_time;
  const end = events.reduce((last, event) => Math.max(last, event.end_time ?? event.start_time), start);
  return {
    project_id: earliest.project_id,
    event_id: earliest.session_id,
    session_id: earliest.session_id,
    parent_id: null,
    children_ids: [],
    event_type: 'session',
    event_name: UNKNOWN,
    source: earliest.source,
    start_time: start,
    end_time: end,
    duration: end - start,
    error: null,
    inputs: {},
    outputs: {},
    config: {},
    metadata: {},
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'synthesised',
  };
}
