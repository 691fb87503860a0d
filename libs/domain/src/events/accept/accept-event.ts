import { validationError } from '@assay/errors';
import type { JsonValue } from '../../json.js';
import { runSteps, type Steps } from '../../steps.js';
import { eventFrom, type Event, type EventInput } from '../event.js';
import { defaultOf } from '../event-field.js';
import { EVENT_SHAPE, type EventShape } from '../event-shape.js';
import { canonicalId, canonicalUuid, isUuid } from '../identity/uuid-text.js';
import { keepSessionName } from '../session-name.js';
import { completeTimes } from '../time/check-times.js';
import { cleanFieldsSteps } from './clean-fields.js';
import { textsOfSteps } from './clean-text.js';
import type { ListedKeys } from './text-walk.js';
import { readSentValue } from './read-sent-value.js';
import { moveGroundTruth, withTotalTokens } from './sent-buckets.js';

export interface AcceptContext {
  readonly projectId: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Returns a new unique UUID. */
  readonly newId: () => string;
  /** Declared fields; those of {@link EVENT_SHAPE} if absent. */
  readonly shape?: EventShape;
  /** Maximum size of the event in bytes of JSON; {@link MAX_EVENT_BYTES} if absent. */
  readonly maxBytes?: number;
}

export interface AcceptedEvent {
  readonly event: Event;
  /** Whether the id was generated here, so that no older event can exist under it. */
  readonly fresh: boolean;
  /** Keys of its objects with many keys; absent unless it has thousands of values or long texts, so that it is handled in steps. */
  readonly listed?: ListedKeys;
}

/**
 * Completes an event that a client sent: adds ids, defaults and derived times, wraps outputs and moves the
 * ground truth to the feedback. `path` precedes the names of fields in errors, such as `events[2].`.
 * @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`
 */
export function acceptEvent(input: EventInput, context: AcceptContext, path?: string): AcceptedEvent {
  return runSteps(acceptEventSteps(input, context, path));
}

/** Like {@link acceptEvent}, in steps for an event with many values. */
export function* acceptEventSteps(
  input: EventInput,
  context: AcceptContext,
  path = '',
): Steps<AcceptedEvent> {
  const { projectId, now, newId, shape = EVENT_SHAPE } = context;
  const ids = assignIds(input, newId, path);
  const sent = readFields(moveGroundTruth(keepSessionName(input)), path, shape);
  const event: Event = {
    ...sent,
    project_id: projectId,
    event_id: ids.eventId,
    session_id: ids.sessionId,
    parent_id: input.event_type === 'session' ? null : canonicalId(input.parent_id || ids.sessionId),
    ...completeTimes(input, now, path),
    metadata: withTotalTokens(sent.metadata),
    origin: 'sent',
  };
  const what = path === '' ? 'the event' : path.replace(/\.$/, '');
  const { needCleaning, listed } = yield* textsOfSteps(event, what, context.maxBytes);
  if (!needCleaning) return { event, fresh: ids.fresh, ...(listed && { listed }) };
  const clean = yield* cleanFieldsSteps(event, path, shape);
  // The objects are others, whose keys are not known.
  return { event: clean, fresh: ids.fresh, ...(listed && { listed: new Map() }) };
}

/** @throws AppError `VALIDATION_ERROR` naming `path` and the format of a UUID */
export function checkUuid(text: string, path: string): string {
  if (!isUuid(text))
    throw validationError(`${path} must be a UUID such as 0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e`);
  return canonicalUuid(text);
}

function readFields(input: EventInput, path: string, shape: EventShape): Event {
  const values: Readonly<Record<string, JsonValue | readonly string[] | undefined>> = input;
  return eventFrom(shape, (field) => {
    const value = field.assigned ? undefined : values[field.name];
    return value === undefined ? defaultOf(field) : readSentValue(field, value, path);
  });
}

interface AssignedIds {
  readonly eventId: string;
  readonly sessionId: string;
  readonly fresh: boolean;
}

/** A session is its own session, so either id determines both. */
function assignIds(input: EventInput, newId: () => string, path: string): AssignedIds {
  const eventId = input.event_id === undefined ? undefined : checkUuid(input.event_id, `${path}event_id`);
  const sessionId =
    input.session_id === undefined ? undefined : checkUuid(input.session_id, `${path}session_id`);
  if (input.event_type !== 'session') {
    return { eventId: eventId ?? newId(), sessionId: sessionId ?? newId(), fresh: eventId === undefined };
  }
  if (eventId !== undefined && sessionId !== undefined && eventId !== sessionId) {
    throw validationError(`${path}event_id must equal session_id for an event of type session`);
  }
  const id = sessionId ?? eventId;
  const assigned = id ?? newId();
  return { eventId: assigned, sessionId: assigned, fresh: id === undefined };
}
