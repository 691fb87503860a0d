import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event } from '@assay/domain';
import { batchOf, newProject, rowOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import { clientRunner } from '../sql/client-query.js';
import { DEFAULT_QUERY_LIMITS, type QueryRunner } from '../sql/engine/engine.js';
import { Completeness } from '../sql/read/states/completeness.js';
import type { NarrowRow } from '../sql/read/rows/event-reader.js';
import { eventsOf, makeEvents, type HeldRows } from '../sql/read/events/held-events.js';
import { addMoved } from '../sql/read/events/complete-held.js';
import { readPayloadRows } from '../sql/read/rows/read-by-keys.js';
import { narrowRowsById } from '../sql/read/rows/row-queries.js';
import { tableNames } from '../sql/schema/topology.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

describe('events whose rows were read before their payloads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-held-'));
  const engine = new ChdbEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS });
  const store = new SqlEventStore(
    engine,
    { database: 'held' },
    {
      limits: DEFAULT_QUERY_LIMITS,
      shares: { concurrency: 1, perProject: 1, maxWaiting: 2 },
      settleMs: 0,
    },
  );
  const tables = tableNames({ database: 'held' });
  const runner = clientRunner(engine, new AbortController().signal);

  beforeAll(() => store.administration.migrate());
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  /** Reads narrow rows, then changes what is stored, then reads the payloads. */
  async function readAround(events: readonly Event[], change: () => Promise<void>): Promise<HeldRows> {
    const projectId = events[0]!.project_id;
    const ids = events.map((event) => event.event_id);
    const reader: QueryRunner = runner;
    const found = await reader.query<NarrowRow>(narrowRowsById(tables, projectId, ids));
    const rows = ids.flatMap((id) => found.filter((row) => row.key_event === id));
    await change();
    const payloads = await readPayloadRows(runner, tables, projectId, rows);
    return { rows, payloads: new Map(payloads.map((row) => [row.key_event, row])) };
  }

  it('include those that were moved since, not those that were deleted, and raise a doubt', async () => {
    const project_id = newProject();
    const [kept, moved, deleted, last] = Array.from({ length: 4 }, () => sampleEvent({ project_id })) as [
      Event,
      Event,
      Event,
      Event,
    ];
    await writeEvents(store, [kept, moved, deleted, last]);
    // Known at first; a doubt asks again.
    let comparisons = 0;
    const completeness = new Completeness(() => Promise.resolve(++comparisons === 1));
    await completeness.compareNow();
    const session_id = randomUUID();
    const tombstone = ({ event_id: eventId, session_id: sessionId, start_time: startTime }: Event) => ({
      ...{ projectId: project_id, eventId, sessionId, startTime },
      version: 50,
    });
    const held = await readAround([kept, moved, deleted, last], () =>
      store.writer.write(
        batchOf({
          rows: [rowOf({ ...moved, session_id }, 51)],
          tombstones: [tombstone(moved), tombstone(deleted)],
        }),
      ),
    );
    const whole = await addMoved(runner, { tables, completeness }, project_id, held);
    expect(eventsOf(whole)).toEqual([kept, { ...moved, session_id }, last]);
    expect(completeness.isKnown).toBe(false);
  });

  it('are made of their rows alone when nothing has changed', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 3 }, () => sampleEvent({ project_id }));
    await writeEvents(store, events);
    const completeness = new Completeness(() => Promise.resolve(true));
    await completeness.compareNow();
    const held = await readAround(events, () => Promise.resolve());
    expect(await addMoved(runner, { tables, completeness }, project_id, held)).toBe(held);
    expect(completeness.isKnown).toBe(true);
  });

  it('are not made once the query has failed', async () => {
    const never = new Promise<HeldRows>(() => undefined);
    const parts = makeEvents([never], Promise.reject(new Error('the query has failed')));
    await expect(parts.next()).rejects.toThrow('the query has failed');
  });
});
