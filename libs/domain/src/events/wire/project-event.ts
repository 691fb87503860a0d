import { isJsonObject, type JsonObject } from '../../json.js';
import { EVENT_SHAPE, type EventShape } from '../event-shape.js';
import type { WireEvent } from './wire-event.js';

/** An event reduced to the requested fields. */
export type ProjectedEvent = Partial<WireEvent> & Pick<WireEvent, 'event_id'>;

/**
 * Returns the requested fields of the event and always `event_id`; all fields if none is requested. A dotted
 * field such as `metadata.run_id` returns its object with that key only; literal keys that contain dots are
 * found too. Unknown names have no effect.
 */
export function projectEvent(
  event: WireEvent,
  fields: readonly string[],
  shape: EventShape = EVENT_SHAPE,
): ProjectedEvent {
  if (fields.length === 0) return event;
  const paths = ['event_id', ...fields].map((field) => field.split('.'));
  const whole = new Set(paths.filter((path) => path.length === 1).map(([name]) => name));
  const chosen = Object.entries(event).filter(([name]) => whole.has(name));
  const parts = shape.buckets
    .filter((bucket) => !whole.has(bucket))
    .flatMap((bucket) => {
      const part = pick(event[bucket], keysBelow(bucket, paths));
      return Object.keys(part).length === 0 ? [] : [[bucket, part] as const];
    });
  return { ...Object.fromEntries([...chosen, ...parts]), event_id: event.event_id };
}

function keysBelow(name: string, paths: readonly (readonly string[])[]): string[][] {
  return paths.filter(([first, ...keys]) => first === name && keys.length > 0).map(([, ...keys]) => keys);
}

/** Returns the entries that one of the paths selects. A key may cover several parts of a path. */
function pick(object: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  if (paths.length === 0) return {};
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const rests = paths.flatMap((path) => restAfter(key, path));
      if (rests.some((rest) => rest.length === 0)) return [[key, value] as const];
      const part = isJsonObject(value) ? pick(value, rests) : {};
      return Object.keys(part).length === 0 ? [] : [[key, part] as const];
    }),
  );
}

/** Returns the rest of a path after the prefix `key`; undefined if the path does not start with it. */
function restAfter(key: string, path: readonly string[]): string[][] {
  const parts = key.split('.').length;
  return path.slice(0, parts).join('.') === key ? [path.slice(parts)] : [];
}
