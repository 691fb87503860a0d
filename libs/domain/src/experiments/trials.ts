import type { RunEvent, RunSession } from './run-events.js';

/**
 * One datapoint in one session of a run. A run that repeats its datapoints has several trials of each; a session that
 * evaluates several datapoints is one trial of each.
 */
export interface Trial {
  readonly sessionId: string;
  /** Undefined when neither the events nor their session name a datapoint. */
  readonly datapointId: string | undefined;
  readonly events: readonly RunEvent[];
  /** All events of the session. */
  readonly sessionEvents: readonly RunEvent[];
  /** Whether one of the events, or the session itself, ended with an error. */
  readonly hasError: boolean;
}

/**
 * Returns the trials of sessions, in their order. An event belongs to the datapoint that it names, else to that of its
 * session. Of a session with several datapoints, the events without one are a trial of their own if they matter: if they
 * have metrics or an error.
 */
export function trialsOf(sessions: readonly RunSession[]): Trial[] {
  const trials: Trial[] = [];
  for (const session of sessions) {
    if (isOneTrial(session)) trials.push(trialOf(session, session));
    else trials.push(...split(session));
  }
  return trials;
}

function isOneTrial({ datapointId, events }: RunSession): boolean {
  return events.every((event) => event.datapointId === '' || event.datapointId === datapointId);
}

function trialOf(
  session: RunSession,
  { datapointId, events }: Pick<RunSession, 'datapointId' | 'events'>,
): Trial {
  const { sessionId, events: sessionEvents } = session;
  const ownEvent = sessionEvents[0];
  const isFailed = ownEvent?.hasError === true && ownEvent.eventId === sessionId;
  const hasError = isFailed || events.some((event) => event.hasError === true);
  return { sessionId, datapointId, events, sessionEvents, hasError };
}

function split(session: RunSession): Trial[] {
  const byDatapoint = new Map<string | undefined, RunEvent[]>();
  for (const event of session.events) {
    const id = event.datapointId === '' ? session.datapointId : event.datapointId;
    const group = byDatapoint.get(id);
    if (group === undefined) byDatapoint.set(id, [event]);
    else group.push(event);
  }
  return [...byDatapoint].flatMap(([datapointId, events]) => {
    if (!events.some((event) => event.isSelected)) return [];
    if (datapointId === undefined && !events.some(matters)) return [];
    return [trialOf(session, datapointId === undefined ? { events } : { datapointId, events })];
  });
}

function matters({ metrics, hasError, composites }: RunEvent): boolean {
  return hasError === true || composites.length > 0 || Object.keys(metrics).length > 0;
}
