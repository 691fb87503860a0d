import type { JsonValue } from '../../json.js';
import type { EventInput } from '../event.js';
import { runSteps, type Steps } from '../../steps.js';
import { acceptEventSteps, type AcceptContext, type AcceptedEvent } from './accept-event.js';

/** A session as a client sends it. A start or an end that is not a number is ignored. */
export type SessionInput = Omit<EventInput, 'event_type' | 'parent_id' | 'start_time' | 'end_time'> & {
  readonly session_name?: string;
  readonly start_time?: JsonValue;
  readonly end_time?: JsonValue;
};

/**
 * Creates the event of a session. Its name is `session_name`, else `event_name`; its id `session_id`, else
 * `event_id`, else a new one. `path` precedes the names of fields in errors.
 * @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`
 */
export function acceptSession(input: SessionInput, context: AcceptContext, path?: string): AcceptedEvent {
  return runSteps(acceptSessionSteps(input, context, path));
}

/** Like {@link acceptSession}, in steps for a session with many values. */
export function acceptSessionSteps(
  input: SessionInput,
  context: AcceptContext,
  path?: string,
): Steps<AcceptedEvent> {
  const {
    session_name: name = input.event_name,
    event_id: eventId,
    session_id: id = eventId,
    ...rest
  } = input;
  const times = { start_time: numberIn(input.start_time), end_time: numberIn(input.end_time) };
  return acceptEventSteps(
    { ...rest, ...times, event_type: 'session', event_name: name, session_id: id, parent_id: null },
    context,
    path,
  );
}

/** Returns the value if it is a number. */
export function numberIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}
