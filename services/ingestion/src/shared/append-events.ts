import { encodeRecord } from '@assay/contracts';
import type { AcceptedEvent, Event } from '@assay/domain';
import type { EventLog, LogRecord } from '@assay/event-log';
import { encodeEventRow } from '@assay/event-store/rows';
import { runCooperatively, type YieldToEventLoop, type Steps } from '@assay/runtime';
import type { SessionCache } from './session-cache.js';

export interface AppendEventsDeps {
  readonly log: Pick<EventLog, 'append'>;
  readonly knownSessions: SessionCache;
}

/** What a request appends to the log. */
export interface EventsToAppend {
  readonly accepted: readonly AcceptedEvent[];
  /** Sessions that no client sent; those that the log holds already are skipped. */
  readonly synthesised?: readonly Event[];
  readonly others?: readonly LogRecord[];
}

/**
 * Returns a function that appends events to the log in one call, with their synthesised sessions and other
 * records. All are durable when it resolves.
 * @throws AppError `UNAVAILABLE`, `OVERLOADED`; the outcome is unknown, and sending the same ids again is
 * safe
 */
export function makeAppendEvents(deps: AppendEventsDeps) {
  return async function appendEvents(
    { accepted, synthesised = [], others = [] }: EventsToAppend,
    yieldToEventLoop: YieldToEventLoop = () => undefined,
  ): Promise<void> {
    const sessions = synthesised.filter((session) => !deps.knownSessions.covers(session));
    const events = [...sessions.map((event) => ({ event, fresh: false })), ...accepted];
    await deps.log.append([
      ...(await runCooperatively(encodeEventsSteps(events), yieldToEventLoop)),
      ...others,
    ]);
    for (const session of sessions) deps.knownSessions.add(session);
    for (const { event } of accepted) if (event.event_type === 'session') deps.knownSessions.add(event);
  };
}
export type AppendEvents = ReturnType<typeof makeAppendEvents>;

function* encodeEventsSteps(events: readonly AcceptedEvent[]): Steps<LogRecord[]> {
  const records: LogRecord[] = [];
  for (const event of events) {
    records.push(recordOf(event));
    yield;
  }
  return records;
}

function recordOf({ event, fresh }: AcceptedEvent): LogRecord {
  return encodeRecord({
    kind: 'event',
    projectId: event.project_id,
    eventId: event.event_id,
    fresh,
    value: encodeEventRow(event),
  });
}
