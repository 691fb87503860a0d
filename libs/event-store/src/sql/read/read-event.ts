import type { Event, EventOrigin, EventType, JsonObject } from '@assay/domain';
import type { RowVersion } from '../../event-store.js';
import type { RowKey } from './row-key.js';

/** A row of the narrow table, as read. */
export interface NarrowRow extends RowKey {
  readonly project_id: string;
  readonly parent_id: string | null;
  readonly children_ids: string[];
  readonly event_type: EventType;
  readonly event_name: string;
  readonly source: string;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly duration: number | null;
  readonly error: string | null;
  readonly origin: EventOrigin;
  readonly metadata: string;
  readonly metrics: string;
  readonly feedback: string;
  readonly user_properties: string;
  readonly version: RowVersion;
}

/** A row of the payload table, as read. */
export interface PayloadRow extends RowKey {
  readonly inputs: string;
  readonly outputs: string;
  readonly config: string;
  readonly version: RowVersion;
}

/** The event of its two rows. The open objects are parsed from the text that was stored: nothing in them changes. */
export function readEvent(narrow: NarrowRow, payload: PayloadRow): Event {
  return {
    project_id: narrow.project_id,
    event_id: narrow.key_event,
    session_id: narrow.key_session,
    parent_id: narrow.parent_id,
    children_ids: narrow.children_ids,
    event_type: narrow.event_type,
    event_name: narrow.event_name,
    source: narrow.source,
    start_time: narrow.start_time,
    end_time: narrow.end_time,
    duration: narrow.duration,
    error: narrow.error,
    inputs: parseObject(payload.inputs),
    outputs: parseObject(payload.outputs),
    config: parseObject(payload.config),
    metadata: parseObject(narrow.metadata),
    metrics: parseObject(narrow.metrics),
    feedback: parseObject(narrow.feedback),
    user_properties: parseObject(narrow.user_properties),
    origin: narrow.origin,
  };
}

function parseObject(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}
