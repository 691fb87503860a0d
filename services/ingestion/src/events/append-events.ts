import { encodeRecord } from '@assay/contracts';
import type { AcceptedEvent, Event } from '@assay/domain';
import type { EventLog, LogRecord } from '@assay/event-log';
import { encodeEventRow } from '@assay/event-store/rows';
import { runCooperatively, type YieldToEventLoop, type Steps } from '@assay/runtime';
import type { SessionCache } from '../sessions/session-cache.js';

export interface AppendEventsDeps {
  readonly log: Pick<EventLog, 'append'>;
  readonly knownSessions: SessionCache;
}

/** What a request puts on the log. */
export interface Appended {
  readonly accepted: readonly AcceptedEvent[];
  /** Sessions that nobody sent. */
  readonly synthesised?: readonly Event[];
  readonly others?: readonly LogRecord[];
}

/**
 * Puts events on the log in one append, together with those of their sessions that the log may not hold yet, and with other records. Durable when it
 * resolves.
 * @throws AppError `UNAVAILABLE`, `OVERLOADED`: nothing is claimed; sending the same ids again is safe
 */
export function makeAppendEvents(deps: AppendEventsDeps) {
  return async function appendEvents(
    { accepted, synthesised = [], others = [] }: Appended,
    yieldToEventLoop: YieldToEventLoop = () => undefined,
  ): Promise<void> {
    const sessions = synthesised.filter((session) => !deps.knownSessions.covers(session));
    const events = [...sessions.map((event) => ({ event, fresh: false })), ...accepted];
    await deps.log.append([...(await runCooperatively(encoding(events), yieldToEventLoop)), ...others]);
    for (const session of sessions) deps.knownSessions.add(session);
    for (const { event } of accepted) if (event.event_type === 'session') deps.knownSessions.add(event);
  };
}
export type AppendEvents = ReturnType<typeof makeAppendEvents>;

function* encoding(events: readonly AcceptedEvent[]): Steps<LogRecord[]> {
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
