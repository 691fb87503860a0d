import { UNKNOWN } from '../accept/accept-event.js';
import type { Event, EventPatch } from '../event.js';
import type { Times } from '../time/check-times.js';
import type { JsonObject } from '../../json.js';

/**
 * What two creates of one event come to. Field by field, one of them is preferred: a sent event before a synthesised one, whichever came
 * first; of two sent events the newer; of two synthesised ones that which began first
 * (exporters send children before their root, which names the session). The open objects that updates merge are merged here too, the
 * preferred one's keys on top; of other fields the preferred one's value stands, unless it says nothing (its default).
 */
export function mergeCreates(older: Event, newer: Event): Event {
  const [preferred, other] = inOrderOfPreference(older, newer);
  return {
    project_id: older.project_id,
    event_id: older.event_id,
    session_id: preferred.session_id,
    parent_id: mergeParents(preferred, other),
    children_ids: preferred.children_ids.length > 0 ? preferred.children_ids : other.children_ids,
    event_type: preferred.event_type,
    event_name: preferred.event_name === UNKNOWN ? other.event_name : preferred.event_name,
    source: preferred.source === UNKNOWN ? other.source : preferred.source,
    ...mergeTimes(preferred, other),
    error: preferred.error ?? other.error,
    inputs: saidObject(preferred.inputs, other.inputs),
    outputs: saidObject(preferred.outputs, other.outputs),
    config: { ...other.config, ...preferred.config },
    metadata: { ...other.metadata, ...preferred.metadata },
    metrics: { ...other.metrics, ...preferred.metrics },
    feedback: { ...other.feedback, ...preferred.feedback },
    user_properties: { ...other.user_properties, ...preferred.user_properties },
    origin: preferred.origin,
  };
}

/** Two updates as one: the newer wins, in the open objects per key. */
export function mergePatches(older: EventPatch, newer: EventPatch): EventPatch {
  const merged: EventPatch = { ...older, ...newer };
  for (const name of ['metadata', 'feedback', 'metrics', 'config', 'user_properties'] as const) {
    const [before, after] = [older[name], newer[name]];
    if (before !== undefined && after !== undefined) merged[name] = { ...before, ...after };
  }
  return merged;
}

/**
 * The event after all its updates, merged into one: open objects are merged key by key, other fields replaced. A synthesised session spans
 * what is known of it, so there the duration follows an end that was set.
 */
export function applyPatch(event: Event, patch: EventPatch): Event {
  const spanned =
    event.origin === 'synthesised' && patch.end_time !== undefined
      ? { duration: patch.end_time - event.start_time }
      : {};
  return {
    ...event,
    ...spanned,
    ...patch,
    config: { ...event.config, ...patch.config },
    metadata: { ...event.metadata, ...patch.metadata },
    metrics: { ...event.metrics, ...patch.metrics },
    feedback: { ...event.feedback, ...patch.feedback },
    user_properties: { ...event.user_properties, ...patch.user_properties },
  };
}

function inOrderOfPreference(older: Event, newer: Event): [preferred: Event, other: Event] {
  if (older.origin !== newer.origin) return older.origin === 'sent' ? [older, newer] : [newer, older];
  if (older.origin === 'sent') return [newer, older];
  return newer.start_time < older.start_time ? [newer, older] : [older, newer];
}

/** A parent that is the session itself is the default and says nothing; a session has none. */
function mergeParents(preferred: Event, other: Event): string | null {
  if (preferred.event_type === 'session') return null;
  const isDefault = preferred.parent_id === preferred.session_id;
  return isDefault && other.session_id === preferred.session_id
    ? (other.parent_id ?? preferred.parent_id)
    : preferred.parent_id;
}

/** A session that is started again began when it first did; synthesised ones span what they were made of. */
function mergeTimes(preferred: Event, other: Event): Times {
  if (preferred.origin !== other.origin) return timesOf(preferred);
  if (preferred.origin === 'synthesised') return span(preferred, other);
  const isSession = preferred.event_type === 'session';
  return {
    start_time: isSession ? Math.min(preferred.start_time, other.start_time) : preferred.start_time,
    end_time: preferred.end_time ?? other.end_time,
    duration: preferred.duration ?? other.duration,
  };
}

function timesOf({ start_time, end_time, duration }: Event): Times {
  return { start_time, end_time, duration };
}

function span(one: Event, another: Event): Times {
  const start = Math.min(one.start_time, another.start_time);
  const end = Math.max(one.end_time ?? one.start_time, another.end_time ?? another.start_time);
  return { start_time: start, end_time: end, duration: end - start };
}

function saidObject(preferred: JsonObject, other: JsonObject): JsonObject {
  return Object.keys(preferred).length > 0 ? preferred : other;
}
