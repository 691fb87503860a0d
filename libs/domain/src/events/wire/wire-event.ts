import { completeEnd } from '../time/check-times.js';
import type { Event } from '../event.js';
import { sessionName } from '../session-name.js';
import type { FieldName, FieldsWith } from '../event-shape.js';

type ReturnedField = Exclude<FieldName, FieldsWith<{ readonly internal: true }> | 'end_time' | 'duration'>;

/** An event as the API returns it. `end_time` and `duration` are absent, never null, if they are unknown. */
export type WireEvent = Pick<Event, ReturnedField> & {
  project: string;
  org_id: string;
  workspace_id: string;
  /** Sessions only; equal to `event_name` unless the session was sent with both. */
  session_name?: string;
  /** Unix milliseconds; a fraction carries microseconds. */
  end_time?: number;
  /** Milliseconds. */
  duration?: number;
};

/** An installation is one organisation with one workspace; clients expect their ids as text. */
export const ONLY_ONE = 'default';

/** Returns the event in the format of the API. A missing end or duration is derived from the other. */
export function toWireEvent(event: Event, project: { readonly name: string }): WireEvent {
  const { origin: _origin, end_time: storedEnd, duration: storedDuration, ...fields } = event;
  const { end_time: end, duration } = completeEnd(event.start_time, storedEnd, storedDuration);
  return {
    project: project.name,
    org_id: ONLY_ONE,
    workspace_id: ONLY_ONE,
    ...fields,
    ...(event.event_type === 'session' ? { session_name: sessionName(event) } : {}),
    ...(end === null ? {} : { end_time: end }),
    ...(duration === null ? {} : { duration }),
  };
}
