import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pendingEvaluation, type Event } from '@assay/domain';
import type { EventStore, PurgeLimits, PurgeStep, Tombstone } from '../src/event-store.js';
import { ChdbEngine } from '../src/chdb/chdb-engine.js';
import { DEFAULT_QUERY_LIMITS, type SqlEngine } from '../src/sql/engine/engine.js';
import { batchOf, rowOf, sampleEvent, writeEvents } from './event-fixture.js';

const MAX_PURGE_MS = 60_000;

/** The tables that hold values of events. */
export const VALUE_TABLES = ['events', 'event_payloads', 'event_changes', 'evaluations'];

/** A text that no compression shortens and nothing else contains. */
export function newCanary(): string {
  return `canary${randomBytes(24).toString('hex')}`;
}

/** Keeps the engine from merging parts of the tables, as it does above the limit of merges. */
export async function preventMerges(
  engine: SqlEngine,
  database: string,
  tables = VALUE_TABLES,
): Promise<void> {
  for (const table of tables)
    await engine.command(
      `ALTER TABLE ${database}.${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1, old_parts_lifetime = 1`,
    );
}

/** Empties the tables, so that a test finds the parts of its own rows only. */
export async function removeRows(engine: SqlEngine, database: string): Promise<void> {
  for (const table of VALUE_TABLES) await engine.command(`TRUNCATE TABLE ${database}.${table}`);
}

/** Columns of text, which the engine compresses. */
const TEXTS = {
  events: ['metadata', 'user_properties', 'metrics', 'feedback'],
  event_payloads: ['inputs', 'outputs', 'config'],
  event_changes: ['patch'],
  evaluations: ['explanation', 'reason', 'value'],
  deletions: ['content'],
  media: ['content'],
};

const FREQUENT_CLEANUP =
  'cleanup_delay_period = 1, max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0';

/** Stores values in a folder so that they can be found in its files, and has files of replaced parts removed soon. */
export async function storeValuesPlainly(dir: string, database: string): Promise<void> {
  const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
  try {
    await preventMerges(engine, database);
    for (const [table, columns] of Object.entries(TEXTS)) {
      for (const column of columns)
        await engine.command(`ALTER TABLE ${database}.${table} MODIFY COLUMN ${column} String CODEC(NONE)`);
      await engine.command(
        `ALTER TABLE ${database}.${table} MODIFY SETTING old_parts_lifetime = 1, ${FREQUENT_CLEANUP}`,
      );
    }
  } finally {
    await engine.close();
  }
}

/** Returns the tables in which a text is, in whatever version or state of a row. */
export async function tablesWith(engine: SqlEngine, database: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of VALUE_TABLES) {
    const rows = await engine.query<object>({ sql: `SELECT * FROM ${database}.${table}`, bindings: {} });
    if (JSON.stringify(rows).includes(text)) found.push(table);
  }
  return found;
}

/** Stores an event with a canary in every place that holds values, in rows that were replaced and in those that are current. */
export async function storeWithCanary(store: EventStore, event: Event, canary: string): Promise<void> {
  const former = { ...event, inputs: { q: `${canary}-1` }, metadata: { m: `${canary}-2` } };
  await writeEvents(store, [former], 10);
  const patch = { outputs: { a: `${canary}-3` }, user_properties: { u: `${canary}-4` } };
  const changes = { projectId: event.project_id, eventId: event.event_id, deleted: false };
  const rows = [rowOf({ ...former, ...patch }, 20)];
  await store.writer.write(
    batchOf({ rows, changes: [{ ...changes, patch, version: 20, updateIds: ['u1'] }] }),
  );
  const evaluation = {
    ...pendingEvaluation(
      { id: 'metric', version: 'v1', name: 'accuracy' },
      { fingerprint: 'f', trigger: 2 ** 50, decidedAt: 1_790_000_000_000 },
    ),
    ...{ projectId: event.project_id, eventId: event.event_id, logPartition: 0 },
    ...{ decision: 'scored' as const, value: 1, explanation: `${canary}-5` },
  };
  await store.writer.writeEvaluations([evaluation], randomUUID());
}

export function tombstoneOf(event: Event, version: number): Tombstone {
  const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = event;
  return { projectId, eventId, sessionId, startTime, version };
}

/** Deletes events as the store reader deletes those of a deleted session. */
export async function deleteWithSession(store: EventStore, events: readonly Event[]): Promise<void> {
  const tombstones = events.map((event) => tombstoneOf(event, Number.MAX_SAFE_INTEGER));
  await store.writer.write(batchOf({ tombstones }));
  await store.writer.removeEvaluations(tombstones);
}

/** Deletes the session of an event with the event, its only one. */
export async function deleteSession(store: EventStore, event: Event, version = 30): Promise<void> {
  const changes = {
    projectId: event.project_id,
    eventId: event.session_id,
    patch: {},
    deleted: true,
    version,
  };
  await store.writer.write(batchOf({ changes: [changes] }));
  await deleteWithSession(store, [event]);
}

/** Deletes an event as the store reader deletes one by its id. */
export async function deleteById(store: EventStore, event: Event, version = 30): Promise<void> {
  const changes = { projectId: event.project_id, eventId: event.event_id, patch: {}, deleted: true, version };
  await store.writer.write(batchOf({ tombstones: [tombstoneOf(event, version)], changes: [changes] }));
  await store.writer.removeEvaluations([{ projectId: event.project_id, eventId: event.event_id }]);
}

/** Limits of a purge that removes everything. */
export function unlimited(): PurgeLimits {
  return { deletedBefore: Date.now() + 60_000, maxBytes: 1024 ** 4, allowsLargerPart: true };
}

/** Purges until nothing is left within the limits, and returns the steps that were started. */
export function purgeAll(store: EventStore, limits: PurgeLimits = unlimited()): Promise<PurgeStep[]> {
  return purgeUntilIdle(() => store.administration.purgeDeleted(limits));
}

/** Takes steps until nothing is left, and returns those that were started. */
export async function purgeUntilIdle(next: () => Promise<PurgeStep>): Promise<PurgeStep[]> {
  const steps: PurgeStep[] = [];
  for (const deadline = Date.now() + MAX_PURGE_MS; Date.now() < deadline; await delay(10)) {
    const step = await next();
    if (step.state === 'started') steps.push(step);
    if (step.state === 'idle') return steps;
  }
  throw new Error('the purge has not ended in time');
}

/** An event with inputs that take about so many bytes on disk, and are no media: hexadecimal digits are compressed to half of their number. */
export function eventOfBytes(fields: Partial<Event>, bytes: number): Event {
  const filler = `- ${randomBytes(bytes).toString('hex')}`;
  return sampleEvent({ ...fields, inputs: { filler } });
}
