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
 * Returns the trials of sessions, in their order, one at a time, so that those of a large run are garbage before they are old. An event
 * belongs to the datapoint that it names, else to that of its session. Of a session with several datapoints, the events without one are
 * a trial of their own if they matter: if they have metrics or an error.
 */
export function* trialsOf(sessions: readonly RunSession[]): Generator<Trial, void, undefined> {
  const split = makeSplit();
  for (const session of sessions) {
    if (isOneTrial(session))
      yield trialOf(session, { datapointId: session.datapointId, events: session.events });
    else yield* split(session);
  }
}

function isOneTrial({ datapointId, events }: RunSession): boolean {
  return events.every((event) => event.datapointId === '' || event.datapointId === datapointId);
}

function trialOf(session: RunSession, { datapointId, events }: Pick<Trial, 'datapointId' | 'events'>): Trial {
  const { sessionId, events: sessionEvents } = session;
  const ownEvent = sessionEvents[0];
  const isFailed = ownEvent?.hasError === true && ownEvent.eventId === sessionId;
  const hasError = isFailed || events.some((event) => event.hasError === true);
  return { sessionId, datapointId, events, sessionEvents, hasError };
}

/** The events of one datapoint in one session. */
interface Part {
  readonly session: RunSession;
  readonly datapointId: string | undefined;
  readonly events: RunEvent[];
}

/** Returns a function that makes the trials of a session. A list by datapoint of each session would take longer than one of all. */
function makeSplit() {
  const newest = new Map<string | undefined, Part>();
  return function* split(session: RunSession): Generator<Trial, void, undefined> {
    const parts: Part[] = [];
    for (const event of session.events) {
      const datapointId = event.datapointId === '' ? session.datapointId : event.datapointId;
      const known = newest.get(datapointId);
      if (known?.session === session) {
        known.events.push(event);
        continue;
      }
      const part = { session, datapointId, events: [event] };
      newest.set(datapointId, part);
      parts.push(part);
    }
    for (const part of parts) if (isTrial(part)) yield trialOf(session, part);
  };
}

function isTrial({ datapointId, events }: Part): boolean {
  return events.some((event) => event.isSelected) && (datapointId !== undefined || events.some(matters));
}

function matters({ metrics, hasError, composites }: RunEvent): boolean {
  return hasError === true || composites.length > 0 || Object.keys(metrics).length > 0;
}
