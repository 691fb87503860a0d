import type { ForwardedEvent } from '@assay/control-plane-client';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { emptied, type Event, type EventType, type JsonObject } from '@assay/domain';

/**
 * An event as the control plane keeps it, under `<project_id>:<event_id>`. This list is closed: nothing else of an event is kept. Of inputs and
 * outputs only the structure is kept, also where their values were forwarded to be matched against the filters of queues.
 */
export interface IndexedEventFields {
  readonly project_id: string;
  readonly event_id: string;
  readonly session_id: string;
  /** Null for a session. */
  readonly parent_id: string | null;
  readonly event_type: EventType;
  readonly event_name: string;
  readonly source: string;
  /** Unix milliseconds. */
  readonly start_time: number;
  readonly end_time: number | null;
  /** Milliseconds. */
  readonly duration: number | null;
  /** Null when the event did not fail; empty where the text was redacted. */
  readonly error: string | null;
  /** Keys and lengths; every value is the empty one of its type. */
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** As forwarded: what was redacted is empty. */
  readonly config: JsonObject;
  readonly metadata: JsonObject;
  readonly metrics: JsonObject;
  readonly feedback: JsonObject;
  readonly user_properties: JsonObject;
  /** When the newest record that is in it was accepted, Unix milliseconds. */
  readonly arrived_at: number;
  /** Place in the log of the newest record that is in it. */
  readonly event_version: number;
  readonly deleted: false;
}

/** What stays of a deleted event, so that nothing older brings it back. */
export interface DeletedEventFields {
  readonly project_id: string;
  readonly event_id: string;
  readonly event_version: number;
  readonly deleted: true;
}

export type EventEntryFields = IndexedEventFields | DeletedEventFields;
export type EventEntry = Document<EventEntryFields>;
export type EventEntryCollection = DocumentCollection<EventEntryFields>;

export const EVENT_ENTRY_COLLECTION: CollectionSpec = {
  name: 'events',
  unique: [],
  indexes: [['project_id', 'session_id']],
};

/** A forwarded event, whole. */
export type ForwardedUpsert = Extract<ForwardedEvent, { kind: 'event' }>;
/** That an event was deleted. */
export type ForwardedDelete = Extract<ForwardedEvent, { kind: 'delete' }>;

export function entryId(projectId: string, eventId: string): string {
  return `${projectId}:${eventId}`;
}

export function indexedEvent({ event, version, arrivedAt }: ForwardedUpsert): IndexedEventFields {
  return {
    project_id: event.project_id,
    event_id: event.event_id,
    session_id: event.session_id,
    parent_id: event.parent_id,
    event_type: event.event_type,
    event_name: event.event_name,
    source: event.source,
    start_time: event.start_time,
    end_time: event.end_time,
    duration: event.duration,
    error: event.error,
    inputs: structureOf(event, 'inputs'),
    outputs: structureOf(event, 'outputs'),
    config: event.config,
    metadata: event.metadata,
    metrics: event.metrics,
    feedback: event.feedback,
    user_properties: event.user_properties,
    arrived_at: arrivedAt,
    event_version: version,
    deleted: false,
  };
}

function structureOf(event: Event, field: 'inputs' | 'outputs'): JsonObject {
  const structure = emptied(event[field]);
  return structure as JsonObject;
}
