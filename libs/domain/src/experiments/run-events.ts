import type { JsonObject } from '../json.js';

/** An event of a run, reduced to what results are computed from. */
export interface RunEvent {
  readonly eventId: string;
  readonly sessionId: string;
  readonly eventName: string;
  readonly eventType: string;
  /** Unix milliseconds. */
  readonly startTime: number;
  /** `metadata.run_id`; empty when it is absent or not text. */
  readonly runId: string;
  /** `metadata.datapoint_id`, likewise. */
  readonly datapointId: string;
  readonly metrics: JsonObject;
  /** Whether the event satisfies the filters of the request. Others only link their session to its datapoint. */
  readonly isSelected: boolean;
  /** Whether the event ended with an error; absent: not known. */
  readonly hasError?: boolean;
  /** Whether `feedback` may have a ground truth; absent: it may. */
  readonly mayHaveGroundTruth?: boolean;
  /** Names of the composite metrics whose filters the event satisfies. */
  readonly composites: readonly string[];
}

/** Name and type of events, as results contain them. */
export interface EventKind {
  readonly event_name: string;
  readonly event_type: string;
}

/** Names a run and the sessions that it lists. */
export interface RunLinks {
  readonly runId: string;
  readonly sessionIds: readonly string[];
}

/** The events of one session of a run: the session itself first, the others by start time. */
export interface RunSession {
  readonly sessionId: string;
  /** That of the session event, else the one that its events name; undefined when there is none, or they name several. */
  readonly datapointId?: string;
  readonly events: readonly RunEvent[];
}

/**
 * Groups the events of a run by session, sessions by their first start. An event belongs to the run when its
 * metadata names the run, when the run lists its session, or when it names no run and its session names this one.
 * Events of other runs are ignored, so that one list may hold the events of several runs. Sessions without a
 * selected event are left out.
 */
export function sessionsOfRun(events: readonly RunEvent[], run: RunLinks): RunSession[] {
  const isMember = membership(events, run);
  const bySession = new Map<string, RunEvent[]>();
  for (const event of events) {
    if (!isMember(event)) continue;
    const group = bySession.get(event.sessionId);
    if (group === undefined) bySession.set(event.sessionId, [event]);
    else group.push(event);
  }
  return [...bySession]
    .filter(([, group]) => group.some((event) => event.isSelected))
    .map(([sessionId, group]) => ({ start: firstStart(group), session: sessionOf(sessionId, group) }))
    .sort((a, b) => a.start - b.start || compareText(a.session.sessionId, b.session.sessionId))
    .map(({ session }) => session);
}

function membership(events: readonly RunEvent[], { runId, sessionIds }: RunLinks) {
  const listed = new Set(sessionIds);
  const named = new Set<string>();
  for (const event of events) if (event.runId === runId && isSession(event)) named.add(event.sessionId);
  return ({ runId: own, sessionId }: RunEvent): boolean =>
    own === runId || listed.has(sessionId) || (own === '' && named.has(sessionId));
}

function sessionOf(sessionId: string, group: RunEvent[]): RunSession {
  const own = group.filter(isSession);
  const others = own.length === 0 ? group : group.filter((event) => !isSession(event));
  others.sort((a, b) => a.startTime - b.startTime || compareText(a.eventId, b.eventId));
  const events = own.length === 0 ? others : own.concat(others);
  const datapointId = datapointOf(sessionId, events);
  return datapointId === undefined ? { sessionId, events } : { sessionId, datapointId, events };
}

function datapointOf(sessionId: string, events: readonly RunEvent[]): string | undefined {
  const named = events.find((event) => event.datapointId !== '');
  if (named === undefined || named.eventId === sessionId) return named?.datapointId;
  const isOnly = events.every((event) => event.datapointId === '' || event.datapointId === named.datapointId);
  return isOnly ? named.datapointId : undefined;
}

function isSession({ eventId, sessionId }: RunEvent): boolean {
  return eventId === sessionId;
}

function firstStart(events: readonly RunEvent[]): number {
  return events.reduce((first, { startTime }) => Math.min(first, startTime), Infinity);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
