import type { ForwardedEvent } from '@assay/control-plane-client';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { emptied, type Event, type EventType, type JsonObject } from '@assay/domain';

/**
 * Event as the control plane stores it, under `<project_id>:<event_id>`. No other field of an event is
 * stored. Of inputs and outputs only the structure is stored, even if their values were forwarded for the
 * filters of queues.
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
  /** Null if the event did not fail; empty if the text was redacted. */
  readonly error: string | null;
  /** Keys and lengths; every value is the empty value of its type. */
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** As forwarded; redacted values are empty. */
  readonly config: JsonObject;
  readonly metadata: JsonObject;
  readonly metrics: JsonObject;
  readonly feedback: JsonObject;
  readonly user_properties: JsonObject;
  /** When its newest record was accepted, Unix milliseconds. */
  readonly arrived_at: number;
  /** Log position of its newest record. */
  readonly event_version: number;
  readonly deleted: false;
}

/** Tombstone of a deleted event. It rejects older versions. */
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

/** Forwarded event. */
export type ForwardedUpsert = Extract<ForwardedEvent, { kind: 'event' }>;
/** Forwarded deletion of an event. */
export type ForwardedDelete = Extract<ForwardedEvent, { kind: 'delete' }>;

/** Maximum number of documents that are read or written together. */
export const BATCH_SIZE = 500;

/** Retries of concurrent updates. The data plane forwards events again after `UNAVAILABLE`. */
export const EVENT_RETRY = { maxAttempts: 20, code: 'UNAVAILABLE' } as const;

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
