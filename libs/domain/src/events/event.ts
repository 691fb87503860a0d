import type { JsonObject } from '../json.js';

export const EVENT_TYPES = ['session', 'model', 'tool', 'chain'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The open objects of an event that an update merges key by key (shallowly). */
export const MERGED_BUCKETS = ['metadata', 'feedback', 'metrics', 'config', 'user_properties'] as const;
export type MergedBucket = (typeof MERGED_BUCKETS)[number];

/** The open objects of an event. */
export const BUCKETS = ['inputs', 'outputs', ...MERGED_BUCKETS] as const;
export type Bucket = (typeof BUCKETS)[number];

/**
 * A complete event: every field has its default, ids are assigned, nothing is left to decide. Field names are those of the API.
 * A session is an event with `event_type` `session` whose `event_id` equals its `session_id`.
 */
export interface Event {
  project_id: string;
  /** Lower-case UUID, unique within the project. */
  event_id: string;
  /** Lower-case UUID of the session event at the root of this event's tree. */
  session_id: string;
  /** Id of the parent event; the session's id for a root; null for a session. */
  parent_id: string | null;
  /** Ids of children that the sender named. */
  children_ids: string[];
  event_type: EventType;
  event_name: string;
  source: string;
  /** Unix milliseconds; a fraction carries microseconds. */
  start_time: number;
  /** Unix milliseconds, or null while the event has not ended. */
  end_time: number | null;
  /** Milliseconds, or null when unknown. */
  duration: number | null;
  error: string | null;
  inputs: JsonObject;
  outputs: JsonObject;
  config: JsonObject;
  metadata: JsonObject;
  metrics: JsonObject;
  feedback: JsonObject;
  user_properties: JsonObject;
  /**
   * `sent`: a client made this event. `synthesised`: a session that nobody sent, made because its first event arrived;
   * whatever a client sends for the same id wins over it, field by field.
   */
  origin: EventOrigin;
}

export type EventOrigin = 'sent' | 'synthesised';

/**
 * The fields that an update may set. The buckets of {@link MERGED_BUCKETS} merge key by key, the others replace.
 * Times are Unix milliseconds.
 */
export interface EventPatch {
  metadata?: JsonObject;
  feedback?: JsonObject;
  metrics?: JsonObject;
  config?: JsonObject;
  user_properties?: JsonObject;
  outputs?: JsonObject;
  duration?: number;
  end_time?: number;
  children_ids?: string[];
}
