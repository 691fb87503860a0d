import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProject, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import type { EventStore, Filter } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { createChdbEventStore } from './create-chdb-event-store.js';

const EVENTS = 3_000;
const TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(400);
/** Reads the text of every event many times. */
const WORST: readonly Filter[] = Array.from({ length: 50 }, (_, index) => ({
  field: 'outputs.text',
  operator: 'not contains',
  type: 'string',
  value: `missing ${index}`,
}));

describe('queries of one project', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-isolation-'));
  const noisy = newProject();
  let store: EventStore;

  beforeAll(async () => {
    store = createChdbEventStore({ dir, shares: { concurrency: 3, perProject: 2, maxWaiting: 8 } });
    await store.administration.migrate();
    for (let written = 0; written < EVENTS; written += 500) {
      const text = (index: number) => ({ text: `${written + index} ${TEXT}` });
      const events = Array.from({ length: 500 }, (_, index) =>
        sampleEvent({ project_id: noisy, outputs: text(index) }),
      );
      await writeEvents(store, events);
    }
  }, 60_000);

  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const search = (signal?: AbortSignal) =>
    store.events.search(noisy, queryOf({ filters: WORST, limit: 1 }), { signal });

  it('do not delay the writes, look-ups, checks and searches of others', async () => {
    const caller = new AbortController();
    const ended: string[] = [];
    const searches = Array.from({ length: 10 }, () =>
      search(caller.signal).then(
        () => ended.push('noisy'),
        () => undefined,
      ),
    );
    const event = sampleEvent({ project_id: newProject() });
    const { project_id: projectId, event_id: eventId } = event;
    await writeEvents(store, [event]);
    await store.administration.check();
    expect((await store.states.read([{ projectId, eventId }])).size).toBe(1);
    expect(await store.events.find(projectId, eventId)).toStrictEqual(event);
    expect((await store.events.search(projectId, queryOf())).total).toBe(1);
    expect(ended.length).toBeLessThan(searches.length);
    caller.abort();
    await Promise.all(searches);
  }, 60_000);

  it('end in the engine when their callers leave', async () => {
    const callers = [new AbortController(), new AbortController()];
    const searches = callers.map(({ signal }) => search(signal));
    const outcomes = Promise.allSettled(searches);
    await store.events.find(newProject(), sampleEvent().event_id);
    for (const caller of callers) caller.abort();
    expect((await outcomes).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
    // Both slots of the project are free again once the engine has cancelled the statements.
    const next = await store.events.search(noisy, queryOf({ limit: 1 }));
    expect(next.total).toBe(EVENTS);
  }, 60_000);

  it('over a limit are refused, and the store itself still reads', async () => {
    const limits = { ...DEFAULT_QUERY_LIMITS, maxBytesToRead: 1_000_000 };
    const bounded = createChdbEventStore({ dir, limits });
    try {
      const [{ event_id: eventId } = sampleEvent()] = (
        await store.events.search(noisy, queryOf({ limit: 1 }))
      ).events;
      const refused = bounded.events.search(noisy, queryOf({ filters: WORST }));
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect((await bounded.states.read([{ projectId: noisy, eventId }])).size).toBe(1);
    } finally {
      await bounded.administration.close();
    }
  }, 60_000);

  it('for states that are too large together are split', async () => {
    const { events } = await store.events.search(noisy, queryOf({ limit: 20 }));
    const bounded = createChdbEventStore({
      dir,
      // Less than the 20 payloads of 18 kB, and more than the buffers of the engine for one.
      limits: { ...DEFAULT_QUERY_LIMITS, maxResultBytes: 250_000 },
    });
    try {
      const keys = events.map(({ event_id: eventId }) => ({ projectId: noisy, eventId }));
      expect((await bounded.states.read(keys, {})).size).toBe(20);
    } finally {
      await bounded.administration.close();
    }
  }, 60_000);

  it('that take too long release their callers on time', async () => {
    const bounded = createChdbEventStore({ dir, limits: { ...DEFAULT_QUERY_LIMITS, maxSeconds: 1 } });
    const startedAt = Date.now();
    try {
      const refused = bounded.events.search(noisy, queryOf({ filters: WORST }));
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(Date.now() - startedAt).toBeLessThan(5_000);
    } finally {
      await bounded.administration.close();
    }
  }, 60_000);
});
