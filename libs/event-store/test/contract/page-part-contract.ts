import { randomUUID } from 'node:crypto';
import { parseStoredEvent, type Event, type TreePlace } from '@assay/domain';
import type { EventStore, PagePart, UnreadEvent } from '../../src/event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../../src/sql/engine/engine.js';
import { chunks } from '../../src/sql/read/rows/chunks.js';
import { unreadEvent } from '../../src/unread-event.js';
import { batchOf, NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const KILOBYTE = 1_000;

const isNamed = (value: string) => ({ field: 'event_name', operator: 'is', type: 'string', value }) as const;
const byEventId = (events: readonly Event[]) =>
  events.toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1));
const byId = (children: readonly TreePlace[]) =>
  children.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1));

/** Pages that are read part by part. */
export function pagePartContract(
  store: () => EventStore,
  openWith: (limits: QueryLimits) => EventStore,
): void {
  const unreadOf = (event: Event) => unreadEvent({ event, payloadBytes: 100 });

  /** Writes events, newest first, with a text of a size in each of two objects. */
  async function written(count: number, { payload = 0, metadata = 0 } = {}): Promise<Event[]> {
    const project_id = newProject();
    const events = Array.from({ length: count }, (_, index) =>
      sampleEvent({
        project_id,
        start_time: NEW_YEAR - index,
        inputs: { text: 'p '.repeat(payload / 2) },
        metadata: { text: 'm'.repeat(metadata) },
      }),
    );
    await writeEvents(store(), events);
    return events;
  }

  async function readParts(from: EventStore, projectId: string, unread: readonly UnreadEvent[]) {
    const parts: PagePart[] = [];
    for (let left = unread; left.length > 0;) {
      const part = await from.events.continuePage(projectId, left);
      parts.push(part);
      left = part.unread;
    }
    return parts;
  }

  it('are the page of a search while they are small', async () => {
    const [first] = await written(30);
    const query = queryOf({ limit: 10, offset: 5 });
    const page = await store().events.startPage(first!.project_id, query);
    expect(page).toStrictEqual({ ...(await store().events.search(first!.project_id, query)), unread: [] });
    expect(page.total).toBe(30);
  });

  describe('of a large page', () => {
    const COUNT = 4_200;
    const page = queryOf({ limit: 4_100, offset: 50 });
    let events: readonly Event[];
    beforeAll(async () => {
      events = await writtenSessions(COUNT);
      // Pages then rely on every event having its payload.
      await store().administration.repair();
    });
    const isIdle = async () => {
      while (store().administration.queryLoad().running > 0)
        await new Promise((resolve) => setImmediate(resolve));
    };

    /** Writes sessions of seven events, newest first. */
    async function writtenSessions(count: number): Promise<Event[]> {
      const project_id = newProject();
      const all = Array.from({ length: count }, (_, index) => {
        const session_id = `1b6b6a52-7a0e-4f0e-9d29-${String(Math.floor(index / 7)).padStart(12, '0')}`;
        const session = { event_id: session_id, event_type: 'session' as const };
        const call = { parent_id: session_id, metadata: { cost: 1 } };
        const children_ids = index % 500 === 3 ? [session_id, randomUUID()] : [];
        const fields = {
          project_id,
          session_id,
          children_ids,
          start_time: NEW_YEAR - index,
          inputs: { index },
        };
        return sampleEvent({ ...fields, ...(index % 7 === 0 ? session : call) });
      });
      for (const some of chunks(all, 700)) await writeEvents(store(), some);
      return all;
    }

    const projectOf = () => events[0]!.project_id;

    it.each([
      ['the newest events', page],
      ['all events, in any order', queryOf({ limit: 5_000, ordered: false })],
      ['filtered events', { ...page, filters: [isNamed('answer')] }],
    ])('are, with what is derived, those of the search: %s', async (_title, query) => {
      const start = await store().events.startPage(projectOf(), query, { withDerived: true });
      expect([start.events, start.unread, start.total]).toEqual([[], [], COUNT]);
      const found = await store().events.search(projectOf(), query);
      const read: Event[] = [];
      let namedEvents = 0;
      for (const part of start.parts!) {
        const events = part.events.map((event) => parseStoredEvent(event));
        read.push(...events);
        const separately = await store().events.derivedOf(projectOf(), events);
        const rollups = [...part.derived!.rollups].filter(([id]) => separately.rollups.has(id));
        expect(new Map(rollups)).toEqual(separately.rollups);
        expect(byId(part.derived!.children)).toEqual(byId(separately.children));
        const named = part.events.flatMap((event) => event.children_ids);
        expect(byId(part.derived!.named!)).toEqual(
          byId(await store().sessions.treePlacesOf(projectOf(), named)),
        );
        namedEvents += part.derived!.named!.length;
      }
      expect(namedEvents).toBeGreaterThanOrEqual(8);
      expect(query.ordered ? read : byEventId(read)).toEqual(
        query.ordered ? found.events : byEventId(found.events),
      );
    });

    it('were read before they are asked for, so that a slow reader occupies no turn', async () => {
      const start = await store().events.startPage(projectOf(), page);
      await isIdle();
      const { asked } = store().administration.queryLoad();
      let count = 0;
      for (const part of start.parts!) count += part.events.length;
      expect([count, store().administration.queryLoad().asked]).toEqual([4_100, asked]);
    });

    it('are not read on for a client that has disconnected', async () => {
      const client = new AbortController();
      const { signal } = client;
      const reading = store().events.startPage(projectOf(), page, { signal, withDerived: true });
      client.abort();
      await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await isIdle();
    });
  });

  it.each([
    ['payloads', { payload: 200 * KILOBYTE }],
    ['other objects', { metadata: 200 * KILOBYTE }],
  ])(
    'have the order and the number of the search with large %s, beyond the limit of a result',
    async (_, size) => {
      const events = await written(12, size);
      const { project_id: projectId } = events[0]!;
      const limited = openWith({ ...DEFAULT_QUERY_LIMITS, maxResultBytes: 1_000 * KILOBYTE });
      try {
        await expect(limited.events.search(projectId, queryOf())).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
        });
        const start = await limited.events.startPage(projectId, queryOf({ offset: 1 }));
        expect([start.events, start.total]).toEqual([[], 12]);
        const parts = await readParts(limited, projectId, start.unread);
        expect(parts.flatMap((part) => part.events)).toEqual(events.slice(1));
        expect(Math.max(...parts.map((part) => part.events.length))).toBeLessThanOrEqual(5);
      } finally {
        await limited.administration.close();
      }
    },
  );

  it.each([
    ['named', 'larger', 5, [0, 3, 3]],
    ['held', 'not larger', 10, [3, 0, 3]],
  ])('are %s when their payloads are %s than the bound of the turn', async (_, _size, kilobytes, counts) => {
    const [{ project_id: projectId }] = (await written(3, { payload: 2 * KILOBYTE })) as [Event];
    const running: number[] = [];
    const maxHeldBytes = () => {
      running.push(store().administration.queryLoad().running);
      return kilobytes * KILOBYTE;
    };
    const start = await store().events.startPage(projectId, queryOf(), { maxHeldBytes });
    expect([start.events.length, start.unread.length, start.total]).toEqual(counts);
    expect(running).toEqual([1]);
  });

  it('contain events that were moved since, and none that was deleted', async () => {
    const [moved, deleted, last] = (await written(3)) as [Event, Event, Event];
    const projectId = moved.project_id;
    const unread = [moved, deleted, last].map((event) => unreadOf(event));
    const session_id = '1b6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f11';
    const tombstone = ({ event_id: eventId, session_id: sessionId, start_time: startTime }: Event) => ({
      ...{ projectId, eventId, sessionId, startTime },
      version: 50,
    });
    await store().writer.write(
      batchOf({
        rows: [rowOf({ ...moved, session_id }, 51)],
        tombstones: [tombstone(moved), tombstone(deleted)],
      }),
    );
    const parts = await readParts(store(), projectId, unread);
    expect(parts.flatMap((part) => part.events.map((event) => [event.event_id, event.session_id]))).toEqual([
      [moved.event_id, session_id],
      [last.event_id, last.session_id],
    ]);
  });

  it.each([
    ['by their hours', true, true],
    ['by their keys, because there are others between them', true, false],
    ['by their keys', false, false],
  ])('are the events, read %s', async (_title, areDense, all) => {
    const events = await written(900);
    const wanted = all ? events : events.filter((_event, index) => index % 3 === 0);
    const unread = wanted.map((event) => unreadOf(event));
    const part = await store().events.continuePage(events[0]!.project_id, unread, { areDense });
    expect(part).toEqual({ events: wanted, unread: [] });
  });

  it('are not read for a client that has disconnected, nor in another project', async () => {
    const [event] = (await written(1)) as [Event];
    const unread = [unreadOf(event)];
    expect(await store().events.continuePage(newProject(), unread)).toEqual({ events: [], unread: [] });
    const reading = store().events.continuePage(event.project_id, unread, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
}
