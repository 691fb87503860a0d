import { synthesiseSession, type AcceptedEvent, type Event } from '@assay/domain';
import { mapSteps, runSync, type Steps } from '@assay/runtime';

/**
 * Returns a minimal synthesised session for each session of these events that is not among them. Every tree
 * of events has a session as its root, even if no client sends it.
 */
export function missingSessions(accepted: readonly AcceptedEvent[]): Event[] {
  return runSync(missingSessionsSteps(accepted));
}

/** Like {@link missingSessions}, in steps: yields before each event that it looks at, and each session that it makes. */
export function* missingSessionsSteps(accepted: readonly AcceptedEvent[]): Steps<Event[]> {
  const bySession = new Map<string, [Event, ...Event[]]>();
  for (const { event } of accepted) {
    yield;
    const events = bySession.get(event.session_id);
    if (events) events.push(event);
    else bySession.set(event.session_id, [event]);
  }
  const groups = [...bySession.values()].filter(
    (events) => !events.some(({ event_type }) => event_type === 'session'),
  );
  return yield* mapSteps(groups, synthesiseSession);
}
