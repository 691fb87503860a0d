import { encodeRecord } from '@assay/contracts';
import type { AcceptedEvent, Event } from '@assay/domain';
import type { EventLog, LogRecord } from '@assay/event-log';
import { encodeEventRowSteps } from '@assay/event-rows';
import {
  createYieldToEventLoop,
  mapSteps,
  runCooperatively,
  type Steps,
  type YieldToEventLoop,
} from '@assay/runtime';
import type { RecordedSpan } from '@assay/telemetry';
import { appendTraced } from './append-traced.js';
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
  /** Records that precede the events. */
  readonly before?: readonly LogRecord[];
  /** Span of the request; undefined when it is not traced. */
  readonly trace?: RecordedSpan | undefined;
}

/** The records of a request, and its sessions. */
interface EncodedEvents {
  readonly records: readonly LogRecord[];
  readonly sessions: readonly Event[];
  readonly trace: RecordedSpan | undefined;
  /** Index of the first event that was sent. */
  readonly firstSent: number;
}

/**
 * Returns a function that appends events to the log in one call, with their synthesised sessions and other
 * records. All are durable when it resolves. While the log syncs, it refers to no event but the sessions: the events of
 * concurrent requests would survive the collections of that time, and outlive their requests by far.
 * @throws AppError `UNAVAILABLE`, `OVERLOADED`; the outcome is unknown, and sending the same ids again is
 * safe
 */
export function makeAppendEvents(deps: AppendEventsDeps) {
  async function encode(
    { accepted, synthesised = [], others = [], before = [], trace }: EventsToAppend,
    yieldToEventLoop: YieldToEventLoop,
  ): Promise<EncodedEvents> {
    const isKnown = await runCooperatively(
      mapSteps(synthesised, (session) => deps.knownSessions.covers(session)),
      yieldToEventLoop,
    );
    const added = synthesised.filter((_, index) => isKnown[index] === false);
    const events = [...added.map((event) => ({ event, fresh: false })), ...accepted];
    const encoded = await runCooperatively(encodeEventsSteps(events), yieldToEventLoop);
    const sent = accepted.map(({ event }) => event).filter(({ event_type }) => event_type === 'session');
    const firstSent = accepted.length === 0 ? 0 : before.length + added.length;
    const records = [...before, ...encoded, ...others];
    return { records, sessions: [...added, ...sent], trace, firstSent };
  }

  async function append({ records, sessions, trace, firstSent }: EncodedEvents): Promise<void> {
    await appendTraced(deps.log, records, trace, firstSent);
    // The turn of the request has ended with its wait for the log.
    const adding = mapSteps(sessions, (session) => deps.knownSessions.add(session));
    await runCooperatively(adding, createYieldToEventLoop());
  }

  return function appendEvents(
    events: EventsToAppend,
    yieldToEventLoop: YieldToEventLoop = () => undefined,
  ): Promise<void> {
    return encode(events, yieldToEventLoop).then(append);
  };
}
export type AppendEvents = ReturnType<typeof makeAppendEvents>;

function* encodeEventsSteps(events: readonly AcceptedEvent[]): Steps<LogRecord[]> {
  const records: LogRecord[] = [];
  for (const event of events) {
    yield;
    records.push(recordOf(event, yield* encodeEventRowSteps(event.event, event.listed)));
  }
  return records;
}

function recordOf({ event, fresh }: AcceptedEvent, value: Buffer): LogRecord {
  return encodeRecord({
    kind: 'event',
    projectId: event.project_id,
    eventId: event.event_id,
    fresh,
    value,
  });
}
