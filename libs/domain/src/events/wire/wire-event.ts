import { completeEnd } from '../time/check-times.js';
import type { Event } from '../event.js';
import type { FieldName, FieldsWith } from '../event-shape.js';

type ReturnedField = Exclude<FieldName, FieldsWith<{ readonly internal: true }> | 'end_time' | 'duration'>;

/**
 * An event as the API returns it. `end_time` and `duration` are absent, never null, when they are unknown.
 */
export type WireEvent = Pick<Event, ReturnedField> & {
  project: string;
  org_id: string;
  workspace_id: string;
  /** Sessions only; equal to `event_name`. */
  session_name?: string;
  /** Unix milliseconds, whole: clients reject a fraction here. */
  end_time?: number;
  /** Milliseconds. */
  duration?: number;
};

/** An installation is one organisation with one workspace; clients want their ids as text. */
const ONLY_ONE = 'default';

/**
 * The event in the shape of the API. Of end and duration the one that is missing is worked out from the
 * other.
 */
export function toWireEvent(event: Event, project: { readonly name: string }): WireEvent {
  const { origin: _origin, end_time: storedEnd, duration: storedDuration, ...fields } = event;
  const { end_time: end, duration } = completeEnd(event.start_time, storedEnd, storedDuration);
  return {
    project: project.name,
    org_id: ONLY_ONE,
    workspace_id: ONLY_ONE,
    ...fields,
    ...(event.event_type === 'session' ? { session_name: event.event_name } : {}),
    ...(end === null ? {} : { end_time: Math.round(end) }),
    ...(duration === null ? {} : { duration }),
  };
}
