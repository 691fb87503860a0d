import { synthesiseSession, type AcceptedEvent, type Event } from '@assay/domain';

/**
 * The sessions that these events need and that are not among them, one each, in the least form that can be said. Every tree of events ends in a
 * session, whether or not somebody sends it.
 */
export function missingSessions(accepted: readonly AcceptedEvent[]): Event[] {
  const bySession = new Map<string, [Event, ...Event[]]>();
  for (const { event } of accepted) {
    const events = bySession.get(event.session_id);
    if (events) events.push(event);
    else bySession.set(event.session_id, [event]);
  }
  const groups = [...bySession.values()].filter(
    (events) => !events.some(({ event_type }) => event_type === 'session'),
  );
  return groups.map(synthesiseSession);
}
