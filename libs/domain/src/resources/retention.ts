import type { EventType } from '../events/event.js';
import { EVENT_TYPES } from '../events/event-shape.js';

/** What a retention can be given for: a type of events, or all types without one of their own. */
export const RETENTION_KEYS = ['default', ...EVENT_TYPES] as const;
export type RetentionKey = (typeof RETENTION_KEYS)[number];

export const MAX_RETENTION_DAYS = 36_500;

/** Days after its start during which an event is kept; null: for ever. */
export type Retention = Readonly<Partial<Record<RetentionKey, number | null>>>;

/** By type of events, the time, Unix milliseconds, before which an event has to have started to be expired. Absent: none is. */
export type Cutoffs = Readonly<Partial<Record<EventType, number>>>;

const DAY_MS = 86_400_000;

/** Returns the retention of a project in an installation with this default, in days; undefined: for ever. */
export function effectiveRetention(own: Retention = {}, installationDays?: number): Retention {
  return own.default === undefined && installationDays !== undefined
    ? { ...own, default: installationDays }
    : own;
}

/** Returns the cutoffs of a retention at this time, Unix milliseconds. */
export function cutoffsOf(retention: Retention, now: number): Cutoffs {
  const cutoffs: Partial<Record<EventType, number>> = {};
  for (const type of EVENT_TYPES) {
    const days = retention[type] === undefined ? retention.default : retention[type];
    if (days !== undefined && days !== null) cutoffs[type] = now - days * DAY_MS;
  }
  return cutoffs;
}

/** Returns the cutoff of what belongs to no event with a type: `default` alone decides. Undefined: it is kept for ever. */
export function defaultCutoff({ default: days }: Retention, now: number): number | undefined {
  return days === undefined || days === null ? undefined : now - days * DAY_MS;
}

/** Returns whether an event that is kept for no other reason is to be removed. */
export function isExpired(event: { readonly type: EventType; readonly startTime: number }, cutoffs: Cutoffs) {
  const cutoff = cutoffs[event.type];
  return cutoff !== undefined && event.startTime < cutoff;
}

/** Returns the time before which events of every type are expired; undefined while one type is kept for ever. */
export function earliestCutoff(cutoffs: Cutoffs): number | undefined {
  const times = EVENT_TYPES.map((type) => cutoffs[type] ?? -Infinity);
  const earliest = Math.min(...times);
  return earliest === -Infinity ? undefined : earliest;
}

/** Returns the time from which on no event is expired, of whatever type; undefined when none ever is. */
export function latestCutoff(cutoffs: Cutoffs): number | undefined {
  const latest = Math.max(...EVENT_TYPES.map((type) => cutoffs[type] ?? -Infinity));
  return latest === -Infinity ? undefined : latest;
}
