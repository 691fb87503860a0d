import { validationError } from '@assay/errors';
import type { EventInput } from '../event.js';
import { acceptEventSteps, type AcceptContext, type AcceptedEvent } from './accept-event.js';
import { runSteps, type Steps } from '../../steps.js';
import { acceptSession, numberIn, type SessionInput } from './accept-session.js';

/** Events that a client sends together, checked for shape. */
export interface BatchInput {
  readonly events: readonly EventInput[];
  /** Whether all events belong to one session. */
  readonly single_session?: boolean;
  /** The shared session as the client described it. */
  readonly session_properties?: SessionInput;
  /** Session id from the path of the request. It takes precedence over every id in the body. */
  readonly sessionId?: string;
  /** Name of the list in errors; `events` if absent. */
  readonly listName?: string;
}

export interface AcceptedBatch {
  /** The shared session, if the client described it. */
  readonly session?: AcceptedEvent;
  /** The events in the order in which they were sent. */
  readonly events: readonly AcceptedEvent[];
  /** The shared session's id, else that of the first event. */
  readonly sessionId: string;
}

/**
 * Accepts a batch atomically: all events or none. Errors name the event, as in `events[2].start_time`.
 * @throws AppError `VALIDATION_ERROR` also for an empty batch, `PAYLOAD_TOO_LARGE`
 */
export function acceptBatch(input: BatchInput, context: AcceptContext): AcceptedBatch {
  return runSteps(acceptBatchSteps(input, context));
}

/** Like {@link acceptBatch}, in steps: yields before each event, and within one that has many values. */
export function* acceptBatchSteps(input: BatchInput, context: AcceptContext): Steps<AcceptedBatch> {
  const [first] = input.events;
  if (first === undefined) throw validationError(`${listOf(input)} must hold at least one event`);
  if (input.sessionId === undefined && input.single_session !== true)
    return yield* acceptSeparately(input, context);
  return yield* acceptTogether(input, input.sessionId ?? sharedSessionId(input), context);
}

function listOf({ listName = 'events' }: BatchInput): string {
  return listName;
}

function* acceptSeparately(input: BatchInput, context: AcceptContext): Steps<AcceptedBatch> {
  const events = yield* acceptEvents(input, (event, path) => acceptEventSteps(event, context, path));
  return { events, sessionId: events[0]?.event.session_id ?? '' };
}

function* acceptEvents(
  input: BatchInput,
  accept: (event: EventInput, path: string) => Steps<AcceptedEvent>,
): Steps<AcceptedEvent[]> {
  const events: AcceptedEvent[] = [];
  for (const [index, event] of input.events.entries()) {
    yield;
    events.push(yield* accept(event, `${listOf(input)}[${index}].`));
  }
  return events;
}

/** Assigns all events to the session `given`, or to a new one. */
function* acceptTogether(
  input: BatchInput,
  given: string | undefined,
  context: AcceptContext,
): Steps<AcceptedBatch> {
  const sessionId = given ?? context.newId();
  const events = yield* acceptEvents(input, (event, path) =>
    acceptEventSteps({ ...event, session_id: sessionId }, context, path),
  );
  const properties = input.session_properties;
  const id = events[0]?.event.session_id ?? sessionId;
  if (properties === undefined) return { events, sessionId: id };
  const start = events.reduce(
    (earliest, accepted) => Math.min(earliest, accepted.event.start_time),
    Infinity,
  );
  const sent = {
    ...properties,
    start_time: numberIn(properties.start_time) ?? start,
    event_id: undefined,
    session_id: sessionId,
  };
  const { event } = acceptSession(sent, context, 'session_properties.');
  return { session: { event, fresh: given === undefined }, events, sessionId: id };
}

/**
 * Returns the id that the client gave the shared session: in its properties, in a session among the events,
 * or on the events.
 */
function sharedSessionId({ session_properties: properties, events }: BatchInput): string | undefined {
  const session = events.find((event) => event.event_type === 'session');
  const named = events.find((event) => event.session_id !== undefined);
  return (
    properties?.session_id ??
    properties?.event_id ??
    session?.session_id ??
    session?.event_id ??
    named?.session_id
  );
}
