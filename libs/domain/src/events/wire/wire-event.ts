import type { JsonObject } from '../../json.js';
import { completeEnd } from '../time/check-times.js';
import type { Event, EventType } from '../event.js';

/** An event as the API answers it. `end_time` and `duration` are absent, never null, when they are unknown. */
export interface WireEvent {
  project: string;
  project_id: string;
  org_id: string;
  workspace_id: string;
  event_id: string;
  session_id: string;
  /** Sessions only; equal to `event_name`. */
  session_name?: string;
  parent_id: string | null;
  children_ids: string[];
  event_type: EventType;
  event_name: string;
  source: string;
  /** Unix milliseconds. */
  start_time: number;
  /** Unix milliseconds, whole: clients refuse a fraction here. */
  end_time?: number;
  /** Milliseconds. */
  duration?: number;
  error: string | null;
  inputs: JsonObject;
  outputs: JsonObject;
  config: JsonObject;
  metadata: JsonObject;
  metrics: JsonObject;
  feedback: JsonObject;
  user_properties: JsonObject;
}

/** An installation is one organisation with one workspace; clients want their ids as text. */
const ONLY_ONE = 'default';

/** The event in the shape of the API. Of end and duration the one that is missing is worked out from the other. */
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
