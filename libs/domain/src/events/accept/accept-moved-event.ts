import { validationError } from '@assay/errors';
import type { JsonValue } from '../../json.js';
import type { Steps } from '../../steps.js';
import { eventFrom, type Event } from '../event.js';
import { defaultOf } from '../event-field.js';
import { EVENT_SHAPE } from '../event-shape.js';
import { toMilliseconds } from '../time/instant.js';
import { canonicalUuid } from '../identity/uuid-text.js';
import type { AcceptedEvent } from './accept-event.js';
import { cleanFieldsSteps } from './clean-fields.js';
import { textsOfSteps } from './clean-text.js';

/** An event of an export, checked for shape. */
export type MovedEventInput = Partial<Event> & Pick<Event, 'event_id' | 'session_id' | 'event_type'>;

/** Updates let an event grow beyond the size that one request may have. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns an event of an export unchanged: nothing is derived, wrapped or moved. Absent fields have their default.
 * @throws AppError `VALIDATION_ERROR` for a session with two ids and for times in other units, `PAYLOAD_TOO_LARGE`
 */
export function* acceptMovedEventSteps(
  moved: MovedEventInput,
  projectId: string,
  path: string,
): Steps<AcceptedEvent> {
  const values: Readonly<Record<string, JsonValue | undefined>> = moved;
  const event = eventFrom(EVENT_SHAPE, (field) => {
    const value = field.assigned ? undefined : values[field.name];
    return value === undefined ? defaultOf(field) : value;
  });
  event.project_id = projectId;
  event.event_id = canonicalUuid(moved.event_id);
  event.session_id = canonicalUuid(moved.session_id);
  event.origin = 'sent';
  if (event.event_type === 'session' && event.event_id !== event.session_id)
    throw validationError(`${path}.event_id must equal session_id for an event of type session`);
  for (const [name, time] of [
    ['start_time', event.start_time],
    ['end_time', event.end_time],
  ] as const)
    if (time !== null && toMilliseconds(time) !== time)
      throw validationError(`${path}.${name} must be a time in Unix milliseconds`);
  const { needCleaning, listed } = yield* textsOfSteps(event, path, MAX_BYTES);
  if (!needCleaning) return { event, fresh: false, ...(listed && { listed }) };
  const clean = yield* cleanFieldsSteps(event, `${path}.`, EVENT_SHAPE);
  return { event: clean, fresh: false, ...(listed && { listed: new Map() }) };
}
