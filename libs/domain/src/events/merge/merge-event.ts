import type { JsonObject, JsonValue } from '../../json.js';
import { eventFrom, type Event, type EventPatch } from '../event.js';
import { isDefault } from '../event-field.js';
import { EVENT_SHAPE, type EventShape, type NamedField } from '../event-shape.js';
import type { Times } from '../time/check-times.js';
import { joinLogContent } from './log-content.js';
import { splitLogContent, withLogContent, type SplitEvent } from './stored-log-content.js';

/**
 * Merges two creates of one event. A sent event is preferred to a synthesised one, in either order of
 * arrival; of two sent events the newer; of two synthesised ones the one that started first (exporters send
 * children before their root, which names the session). Each field follows the `merge` rule of its
 * declaration; parents and times have separate rules. What log records state is joined apart from the rest, so
 * that it is the same for every order and number of deliveries.
 */
export function mergeCreates(older: Event, newer: Event, shape: EventShape = EVENT_SHAPE): Event {
  const [one, other] = [splitLogContent(older), splitLogContent(newer)];
  const split = one ?? other;
  if (split === undefined) return mergeStated(older, newer, shape);
  if (one && other) return withLogContent(mergeLogEvents(one, other, shape));
  const own = mergeStated(one?.own ?? older, other?.own ?? newer, shape);
  return withLogContent({ own: asLogEvent(own, [older, newer]), log: split.log });
}

/** Merges two creates of one event apart from what log records state, so that many of them are merged at the cost of few. */
export function mergeLogEvents(
  older: SplitEvent,
  newer: SplitEvent,
  shape: EventShape = EVENT_SHAPE,
): SplitEvent {
  const own = mergeStated(older.own, newer.own, shape);
  return { own: asLogEvent(own, [older.own, newer.own]), log: joinLogContent(older.log, newer.log) };
}

/** Log records state no end, and each its own start. */
function asLogEvent(own: Event, merged: readonly Event[]): Event {
  if (own.origin === 'sent' || own.event_type === 'session') return own;
  const types = merged.map(({ event_type }) => event_type);
  const type = (['tool', 'model'] as const).find((known) => types.includes(known)) ?? own.event_type;
  return { ...own, event_type: type, end_time: null, duration: null };
}

function mergeStated(older: Event, newer: Event, shape: EventShape): Event {
  const [preferred, other] = inOrderOfPreference(older, newer);
  return {
    ...eventFrom(shape, (field) => mergeValues(field, preferred[field.name], other[field.name])),
    parent_id: mergeParents(preferred, other),
    ...mergeTimes(preferred, other),
  };
}

function mergeValues(field: NamedField, preferred: JsonValue, other: JsonValue): JsonValue {
  if (field.merge === 'byKey') return { ...(other as JsonObject), ...(preferred as JsonObject) };
  return field.merge === 'nonDefault' && isDefault(field, preferred) ? other : preferred;
}

/** Merges two updates: the newer takes precedence, per key in the objects that merge by key. */
export function mergePatches(
  older: EventPatch,
  newer: EventPatch,
  shape: EventShape = EVENT_SHAPE,
): EventPatch {
  const merged: EventPatch = { ...older, ...newer };
  for (const name of shape.mergedBuckets) {
    const [before, after] = [older[name], newer[name]];
    if (before !== undefined && after !== undefined) merged[name] = { ...before, ...after };
  }
  return merged;
}

/**
 * Applies the merged updates of an event: objects that merge by key are merged, other fields replaced. A session stays one, and
 * no other event becomes one. The duration follows a start that an update sets. A synthesised event starts with what it was made
 * of, which decides how it merges, until a client sends it; as a session it spans its events, so its duration follows an end.
 */
export function applyPatch(event: Event, patch: EventPatch, shape: EventShape = EVENT_SHAPE): Event {
  const patched: Event = { ...event, ...patch };
  if (event.event_type === 'session' || patch.event_type === 'session') patched.event_type = event.event_type;
  const isSynthesised = event.origin === 'synthesised';
  if (isSynthesised) patched.start_time = event.start_time;
  const changed = isSynthesised ? patch.end_time : patch.start_time;
  if (changed !== undefined && patch.duration === undefined && patched.end_time !== null)
    patched.duration = patched.end_time - patched.start_time;
  for (const name of shape.mergedBuckets) patched[name] = { ...event[name], ...patch[name] };
  return patched;
}

function inOrderOfPreference(older: Event, newer: Event): [preferred: Event, other: Event] {
  if (older.origin !== newer.origin) return older.origin === 'sent' ? [older, newer] : [newer, older];
  if (older.origin === 'sent') return [newer, older];
  return newer.start_time < older.start_time ? [newer, older] : [older, newer];
}

/** A parent that equals the session is the default and carries no information; a session has no parent. */
function mergeParents(preferred: Event, other: Event): string | null {
  if (preferred.event_type === 'session') return null;
  const isDefault = preferred.parent_id === preferred.session_id;
  return isDefault && other.session_id === preferred.session_id
    ? (other.parent_id ?? preferred.parent_id)
    : preferred.parent_id;
}

/** A session that is started again keeps its first start; a synthesised session spans its events. */
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
