import { validationError } from '@assay/errors';
import type { JsonObject, JsonValue } from '../../json.js';
import { completeTimes } from '../time/check-times.js';
import { cleanObject, cleanString, needsCleaning } from './clean-text.js';
import { BUCKETS, type Bucket, type Event, type EventType } from '../event.js';
import { canonicalUuid, isUuid } from '../identity/event-id.js';
import { moveGroundTruth, withTotalTokens, wrapOutputs } from './sent-buckets.js';

/** The name of what nobody named: events, sessions and sources. */
export const UNKNOWN = 'unknown';

/** An event as a client sends it, checked for shape. Times are Unix milli-, micro- or nanoseconds, the duration milliseconds. */
export interface EventInput {
  readonly event_type: EventType;
  readonly event_name?: string;
  readonly source?: string;
  readonly event_id?: string;
  readonly session_id?: string;
  readonly parent_id?: string | null;
  readonly children_ids?: readonly string[];
  readonly start_time?: number;
  readonly end_time?: number;
  readonly duration?: number;
  readonly error?: JsonValue;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonValue;
  readonly config?: JsonObject;
  readonly metadata?: JsonObject;
  readonly metrics?: JsonObject;
  readonly feedback?: JsonObject;
  readonly user_properties?: JsonObject;
}

export interface AcceptContext {
  readonly projectId: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Makes a UUID that nobody else has. */
  readonly newId: () => string;
}

export interface AcceptedEvent {
  readonly event: Event;
  /** Whether the id was made here, so that nothing older can exist under it. */
  readonly fresh: boolean;
}

/**
 * Completes an event that a client sent: ids, defaults, derived times; outputs are wrapped and the ground truth moved to the feedback.
 * `path` stands before the names of fields in errors, such as `events[2].`.
 * @throws AppError `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`
 */
export function acceptEvent(input: EventInput, context: AcceptContext, path = ''): AcceptedEvent {
  const ids = assignIds(input, context.newId, path);
  const sent = moveGroundTruth(input);
  const event: Event = {
    project_id: context.projectId,
    event_id: ids.eventId,
    session_id: ids.sessionId,
    parent_id: input.event_type === 'session' ? null : canonicalId(input.parent_id || ids.sessionId),
    children_ids: (input.children_ids ?? []).map(canonicalId),
    event_type: input.event_type,
    event_name: input.event_name ?? UNKNOWN,
    source: input.source ?? UNKNOWN,
    ...completeTimes(input, context.now, path),
    error: errorText(input.error),
    inputs: input.inputs ?? {},
    outputs: wrapOutputs(input.outputs),
    config: input.config ?? {},
    metadata: withTotalTokens(sent.metadata ?? {}),
    metrics: input.metrics ?? {},
    feedback: sent.feedback ?? {},
    user_properties: input.user_properties ?? {},
    origin: 'sent',
  };
  const what = path === '' ? 'the event' : path.replace(/\.$/, '');
  return { event: needsCleaning(event, what) ? cleanEvent(event, path) : event, fresh: ids.fresh };
}

/** @throws AppError `VALIDATION_ERROR` naming `path` and the form of a UUID */
export function checkUuid(text: string, path: string): string {
  if (!isUuid(text))
    throw validationError(`${path} must be a UUID such as 0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e`);
  return canonicalUuid(text);
}

interface AssignedIds {
  readonly eventId: string;
  readonly sessionId: string;
  readonly fresh: boolean;
}

/** A session is its own session, so that either id gives both. */
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

/** Ids of parents and children may be any text; a UUID has one spelling, so that trees meet. */
export function canonicalId(id: string): string {
  return isUuid(id) ? canonicalUuid(id) : id;
}

function errorText(error: JsonValue | undefined): string | null {
  if (error === undefined || error === null) return null;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function cleanEvent(event: Event, path: string): Event {
  return {
    ...event,
    ...cleanBuckets(event, path),
    parent_id: event.parent_id === null ? null : cleanString(event.parent_id),
    children_ids: event.children_ids.map(cleanString),
    event_name: cleanString(event.event_name),
    source: cleanString(event.source),
    error: event.error === null ? null : cleanString(event.error),
  };
}

/** The buckets that are there, with clean text; others stay absent. */
export function cleanBuckets(
  sent: Partial<Record<Bucket, JsonObject>>,
  path: string,
): Partial<Record<Bucket, JsonObject>> {
  const clean: Partial<Record<Bucket, JsonObject>> = {};
  for (const name of BUCKETS) {
    const bucket = sent[name];
    if (bucket !== undefined) clean[name] = cleanObject(bucket, `${path}${name}`);
  }
  return clean;
}
