import { synthesiseSession, type AcceptedEvent, type Event } from '@assay/domain';

/**
 * Returns a minimal synthesised session for each session of these events that is not among them. Every tree
 * of events has a session as its root, even if no client sends it.
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
