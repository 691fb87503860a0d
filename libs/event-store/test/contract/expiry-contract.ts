import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore, ExpiredCursor, ExpiredQuery, ExpiredRow } from '../../src/event-store.js';
import { batchOf, NEW_YEAR, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { tombstoneOf } from '../purge-fixture.js';

const HOUR = 3_600_000;
const CUTOFF = NEW_YEAR + 10 * HOUR;
const MODELS = { cutoffs: { model: CUTOFF }, limit: 1_000, withRuns: false };

/** Finding the events whose retention is over. */
export function expiryContract(opened: () => EventStore): void {
  let store: EventStore;
  let project_id = '';
  beforeAll(() => {
    store = opened();
  });
  beforeEach(() => (project_id = newProject()));

  const anEvent = (fields: Partial<Event> = {}) =>
    sampleEvent({ project_id, session_id: randomUUID(), ...fields });

  /** All pages, and what runs between two of them. */
  async function allOf(
    query: Partial<ExpiredQuery> = {},
    between = async (_page: readonly ExpiredRow[]) => {},
  ) {
    const found: ExpiredRow[] = [];
    let pages = 0;
    for (let after: ExpiredCursor | undefined; ; pages++) {
      const page = await store.states.expiredEvents(project_id, { ...MODELS, after, ...query });
      found.push(...page.events);
      await between(page.events);
      if (page.next === undefined)
        return { found, pages: pages + 1, ids: found.map(({ eventId }) => eventId) };
      after = page.next;
    }
  }

  it('finds the events of a type that start before its cutoff, by the millisecond, and where they are', async () => {
    const [due, onTime] = [anEvent({ start_time: CUTOFF - 1 }), anEvent({ start_time: CUTOFF })];
    const early = anEvent({ start_time: 5 });
    await writeEvents(store, [due, onTime, early, anEvent({ start_time: 5, event_type: 'tool' })]);
    await writeEvents(store, [anEvent({ project_id: newProject(), start_time: 5 })]);
    const { found } = await allOf();
    expect(found).toStrictEqual(
      [early, due].map(({ event_id: eventId, session_id: sessionId, start_time: startTime }) => ({
        ...{ projectId: project_id, eventId, sessionId, startTime, runId: '' },
      })),
    );
    expect((await allOf({ cutoffs: {} })).found).toEqual([]);
    const { ids } = await allOf({ cutoffs: { model: 6, tool: CUTOFF } });
    expect(ids).toHaveLength(2);
  });

  it('finds no event that is deleted, was relocated, or starts later in its newest version', async () => {
    const [deleted, relocated, later] = [anEvent(), anEvent(), anEvent()];
    await writeEvents(store, [deleted, relocated, later], 10);
    const moved = { ...relocated, session_id: randomUUID() };
    await store.writer.write(
      batchOf({
        rows: [rowOf(moved, 20), rowOf({ ...later, start_time: CUTOFF + HOUR }, 21)],
        tombstones: [
          tombstoneOf(deleted, Number.MAX_SAFE_INTEGER),
          tombstoneOf(relocated, 20),
          tombstoneOf(later, 21),
        ],
      }),
    );
    const { found } = await allOf();
    expect(found.map(({ eventId, sessionId }) => [eventId, sessionId])).toEqual([
      [moved.event_id, moved.session_id],
    ]);
  });

  it('finds each event once over pages, also within one hour and beside many that are not expired', async () => {
    const events = Array.from({ length: 90 }, (_, index) =>
      anEvent({ start_time: NEW_YEAR + (index % 3) * HOUR, event_type: index % 2 === 0 ? 'model' : 'tool' }),
    );
    await writeEvents(store, events, 10);
    await writeEvents(store, events, 200);
    const expired = events.filter(({ event_type }) => event_type === 'model').map(({ event_id }) => event_id);
    const { ids, pages } = await allOf({ limit: 4 });
    expect([...ids].sort()).toEqual([...expired].sort());
    expect(pages).toBeGreaterThanOrEqual(11);
  });

  it('continues behind events that are removed between two pages, and behind those that stay', async () => {
    const events = Array.from({ length: 40 }, (_, index) =>
      anEvent({ start_time: NEW_YEAR + (index % 5) * HOUR }),
    );
    await writeEvents(store, events, 10);
    const { ids } = await allOf({ limit: 6 }, async (page) => {
      const removed = page.filter((_, index) => index % 2 === 0);
      const tombstones = removed.map((row) => ({ ...row, version: Number.MAX_SAFE_INTEGER }));
      await store.writer.write(batchOf({ tombstones }));
    });
    expect(new Set(ids).size).toBe(40);
    expect(ids).toHaveLength(40);
    const { ids: left } = await allOf({ limit: 6 });
    expect(left.length).toBeGreaterThan(0);
    expect(left.every((id) => ids.includes(id))).toBe(true);
    expect(left.length).toBeLessThan(40);
  });

  it('starts at a given hour', async () => {
    const [early, late] = [anEvent(), anEvent({ start_time: NEW_YEAR + 3 * HOUR })];
    await writeEvents(store, [early, late]);
    expect((await allOf({ from: NEW_YEAR + 3 * HOUR + 1 })).ids).toEqual([late.event_id]);
    expect((await allOf({ from: NEW_YEAR + 3 * HOUR - 1 })).ids).toEqual([late.event_id]);
    expect((await allOf({ from: NEW_YEAR })).ids).toEqual([early.event_id, late.event_id]);
  });

  it('says which run an event names, or else the event of its session', async () => {
    const [own, ofSession, none] = [randomUUID(), randomUUID(), randomUUID()];
    const session = (id: string, run_id?: string) =>
      anEvent({
        event_id: id,
        session_id: id,
        event_type: 'session',
        ...(run_id !== undefined && { metadata: { run_id } }),
      });
    const run = randomUUID();
    const events = [
      session(ofSession, run),
      session(none),
      anEvent({ session_id: ofSession }),
      anEvent({ session_id: ofSession, metadata: { run_id: own } }),
      anEvent({ session_id: none }),
    ];
    await writeEvents(store, events);
    const { found } = await allOf({ withRuns: true });
    const runs = new Map(found.map(({ eventId, runId }) => [eventId, runId]));
    expect(events.slice(2).map(({ event_id }) => runs.get(event_id))).toEqual([run, own, '']);
  });
}
