import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventQuery, EventRow, EventStore, StoreBatch } from '../src/event-store.js';
import { encodeEventRow } from '../src/rows/index.js';

/** 2026-01-01T00:00:00Z. */
export const NEW_YEAR = 1_767_225_600_000;

/** Returns an event with defaults and the given fields. */
export function sampleEvent(fields: Partial<Event> = {}): Event {
  return {
    project_id: 'project',
    event_id: randomUUID(),
    session_id: '0f6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f10',
    parent_id: null,
    children_ids: [],
    event_type: 'model',
    event_name: 'answer',
    source: 'test',
    start_time: NEW_YEAR,
    end_time: NEW_YEAR + 250,
    duration: 250,
    error: null,
    inputs: { question: 'why' },
    outputs: { answer: 'because' },
    config: { model: 'm' },
    metadata: {},
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'sent',
    ...fields,
  };
}

/** Returns the id of a project that no other test uses. */
export function newProject(): string {
  return `project-${randomUUID()}`;
}

export function rowOf(event: Event, version: number): EventRow {
  return { bytes: encodeEventRow(event), version };
}

/** Returns a batch with a new token. */
export function batchOf(parts: Partial<StoreBatch>): StoreBatch {
  return { rows: [], tombstones: [], changes: [], token: randomUUID(), ...parts };
}

/** Writes events at versions from `version` on. */
export async function writeEvents(store: EventStore, events: readonly Event[], version = 1): Promise<void> {
  await store.write(batchOf({ rows: events.map((event, index) => rowOf(event, version + index)) }));
}

/** Returns a search for all events, with the given parameters. */
export function queryOf(fields: Partial<EventQuery> = {}): EventQuery {
  return { filters: [], limit: 1_000, offset: 0, ordered: true, ...fields };
}
