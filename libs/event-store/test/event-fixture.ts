import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventQuery, EventRow, EventStore, StoreBatch } from '../src/event-store.js';
import { encodeEventRow } from '@assay/event-rows';

export { NEW_YEAR, sampleEvent } from '@assay/event-rows/test/sample-event';

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
  await store.writer.write(batchOf({ rows: events.map((event, index) => rowOf(event, version + index)) }));
}

/** Returns a search for all events, with the given parameters. */
export function queryOf(fields: Partial<EventQuery> = {}): EventQuery {
  return { filters: [], limit: 1_000, offset: 0, ordered: true, ...fields };
}
