import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventQuery, EventStore } from '../../src/event-store.js';
import { unreadEvent } from '../../src/unread-event.js';
import { batchOf, NEW_YEAR, newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';

const HOUR = 3_600_000;

/** Pages that are read with what is derived for their events, and pages of whole sessions and hours. */
export function derivedPageContract(store: () => EventStore): void {
  const isSession = (value: string) =>
    ({ field: 'session_id', operator: 'is', type: 'string', value }) as const;

  /** Writes sessions over three hours, updates a tenth of their events and deletes some. */
  async function writeSessions(count: number, size: number): Promise<readonly Event[]> {
    const random = randomFrom(count * size);
    const project_id = newProject();
    const events = Array.from({ length: count }, () => {
      const session_id = randomUUID();
      const session = sampleEvent({ project_id, session_id, event_id: session_id, event_type: 'session' });
      const calls = Array.from({ length: size - 1 }, () =>
        sampleEvent({
          project_id,
          session_id,
          parent_id: session_id,
          // Some start at the same time.
          start_time: NEW_YEAR + Math.floor(random() * 30) * (HOUR / 10),
          metadata: { total_tokens: 3, cost: 1 },
        }),
      );
      return [session, ...calls];
    }).flat();
    await writeEvents(store(), events);
    const updated = events.filter((_, index) => index % 10 === 1);
    await writeEvents(
      store(),
      updated.map((event) => ({ ...event, outputs: { again: true } })),
      100_000,
    );
    const tombstones = events
      .filter((_, index) => index % 25 === 7)
      .map((event) => ({
        projectId: project_id,
        eventId: event.event_id,
        sessionId: event.session_id,
        startTime: event.start_time,
        version: 200_000,
      }));
    await store().writer.write(batchOf({ tombstones }));
    // Pages then rely on every event having its payload.
    await store().administration.repair();
    return events;
  }

  /** Items in an order of their own. */
  const sorted = <Item>(items: readonly Item[]) =>
    items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

  const projectOf = ([first]: readonly Event[]) => first!.project_id;

  /** Reads all pages of a search that is neither of one session nor of the newest rows. */
  async function readByScan(projectId: string, query: EventQuery) {
    const scan = { field: 'event_name', operator: 'is not', type: 'string', value: 'no name' } as const;
    return store().events.search(projectId, { ...query, filters: [...query.filters, scan] });
  }

  it.each([
    ['all of its events', 1_000],
    ['some of its events', 7],
  ])('are the same for a session by its id and by a scan, with %s', async (_title, limit) => {
    const events = await writeSessions(3, 40);
    for (const id of [events[0]!.session_id, events[50]!.session_id, randomUUID()]) {
      const query = queryOf({ filters: [isSession(id)], limit });
      const page = await store().events.search(projectOf(events), query);
      expect(page).toStrictEqual(await readByScan(projectOf(events), query));
    }
  });

  it('are the same for an event by its id and by a scan, updated and deleted ones too', async () => {
    const events = await writeSessions(1, 40);
    const ids = [0, 1, 7, 8].map((index) => events[index]!.event_id);
    for (const value of [...ids, randomUUID()]) {
      const isEvent = { field: 'event_id', operator: 'is', type: 'string', value } as const;
      for (const range of [{}, { from: NEW_YEAR + HOUR }, { offset: 1 }]) {
        const query = { ...queryOf({ filters: [isEvent], limit: 10 }), ...range };
        const page = await store().events.search(projectOf(events), query);
        expect(page).toStrictEqual(await readByScan(projectOf(events), query));
      }
    }
  });

  it('are the same for a session of more rows than are read together', async () => {
    const events = await writeSessions(1, 2_100);
    const query = queryOf({ filters: [isSession(events[0]!.session_id)], limit: 300 });
    const page = await store().events.search(projectOf(events), query);
    expect(page).toStrictEqual(await readByScan(projectOf(events), query));
    expect(page.total).toBeGreaterThan(2_000);
  });

  it.each([
    ['whole sessions', 30, 20, 600],
    ['the newest events of sessions that are much larger', 2, 600, 250],
  ])('are the same for the newest rows and by a scan, of %s', async (_title, sessions, size, limit) => {
    const events = await writeSessions(sessions, size);
    for (const offset of [0, 200]) {
      const query = queryOf({ limit, offset });
      const page = await store().events.search(projectOf(events), query);
      expect(page).toStrictEqual(await readByScan(projectOf(events), query));
      expect(page.events.length).toBeGreaterThan(200);
    }
  });

  it('contain what is derived for their events if that is asked for', async () => {
    const events = await writeSessions(6, 50);
    const projectId = projectOf(events);
    const all = queryOf({ limit: 250 });
    const session = { ...all, filters: [isSession(events[0]!.session_id)] };
    for (const query of [all, session, { ...session, limit: 5 }, queryOf({ ordered: false })]) {
      const plain = await store().events.search(projectId, query);
      const { derived, ...page } = await store().events.search(projectId, query, { withDerived: true });
      expect(sorted(page.events)).toStrictEqual(sorted(plain.events));
      const separately = await store().events.derivedOf(projectId, page.events);
      expect(derived?.rollups).toStrictEqual(separately.rollups);
      expect(sorted(derived!.children)).toStrictEqual(sorted(separately.children));
    }
  });

  it('contain what is derived for the events of each part', async () => {
    const events = await writeSessions(2, 10);
    const projectId = projectOf(events);
    const { events: found } = await store().events.search(projectId, queryOf());
    const unread = found.map((event) => unreadEvent({ event, payloadBytes: 6_000_000 }));
    const part = await store().events.continuePage(projectId, unread, { withDerived: true });
    expect(part.events.length).toBeLessThan(found.length);
    expect(part.derived).toStrictEqual(await store().events.derivedOf(projectId, part.events));
  });

  it('contain nothing derived without events', async () => {
    const page = await store().events.search(newProject(), queryOf(), { withDerived: true });
    expect(page).toStrictEqual({ events: [], total: 0 });
  });

  it('are as complete for one event, which is absent when it does not exist or is deleted', async () => {
    const events = await writeSessions(2, 30);
    const projectId = projectOf(events);
    for (const event of [events[0]!, events[1]!, events[2]!, events[30]!]) {
      const found = await store().events.findWithDerived(projectId, event.event_id);
      expect(found?.event).toStrictEqual(await store().events.find(projectId, event.event_id));
      expect(found?.derived).toStrictEqual(await store().events.derivedOf(projectId, [event]));
    }
    for (const id of [events[7]!.event_id, randomUUID(), 'no id'])
      expect(await store().events.findWithDerived(projectId, id)).toBeUndefined();
  });

  it('are those of the present event when it was updated, moved or deleted since it was returned', async () => {
    const [project_id, from, to] = [newProject(), randomUUID(), randomUUID()];
    const event = sampleEvent({ project_id, session_id: from });
    const child = (session_id: string) => sampleEvent({ project_id, session_id, parent_id: event.event_id });
    await writeEvents(store(), [event, child(from), child(to), child(to)]);
    const updated = { ...event, outputs: { content: 'updated' } };
    const later = { ...updated, start_time: event.start_time + 2 * HOUR };
    const moved = { ...later, session_id: to };
    const rowOf = (at: Event, version: number) => {
      const location = { projectId: project_id, eventId: at.event_id, sessionId: at.session_id };
      return { ...location, startTime: at.start_time, version };
    };
    const states: [Event, Event | undefined][] = [
      [event, undefined],
      [updated, undefined],
      [later, updated],
      [moved, later],
    ];
    for (const [index, [present, former]] of states.entries()) {
      if (index > 0) await writeEvents(store(), [present], 50 + index);
      if (former) await store().writer.write(batchOf({ tombstones: [rowOf(former, 50 + index)] }));
      for (let read = 0; read < 2; read++) {
        const found = await store().events.findWithDerived(project_id, event.event_id);
        expect(found?.event).toStrictEqual(present);
        expect(found?.derived).toStrictEqual(await store().events.derivedOf(project_id, [present]));
        expect(found?.derived.children).toHaveLength(present === moved ? 2 : 1);
      }
    }
    await store().writer.write(batchOf({ tombstones: [rowOf(moved, 60)] }));
    expect(await store().events.findWithDerived(project_id, event.event_id)).toBeUndefined();
  });

  it('are those of an event that a page has returned', async () => {
    const events = await writeSessions(2, 30);
    const projectId = projectOf(events);
    const page = await store().events.search(projectId, queryOf());
    for (const event of page.events.slice(0, 10)) {
      const found = await store().events.findWithDerived(projectId, event.event_id);
      expect(found?.event).toStrictEqual(event);
      expect(found?.derived).toStrictEqual(await store().events.derivedOf(projectId, [event]));
    }
  });

  it('contain the children in the session that an event has moved to', async () => {
    const [project_id, from, to] = [newProject(), randomUUID(), randomUUID()];
    const event = sampleEvent({ project_id, session_id: from });
    const child = (session_id: string) => sampleEvent({ project_id, session_id, parent_id: event.event_id });
    await writeEvents(store(), [event, child(from), child(to)]);
    const moved = { ...event, session_id: to };
    await writeEvents(store(), [moved], 50);
    const found = await store().events.findWithDerived(project_id, event.event_id);
    expect(found?.event).toStrictEqual(moved);
    expect(found?.derived).toStrictEqual(await store().events.derivedOf(project_id, [moved]));
    expect(found?.derived.children).toHaveLength(1);
  });
}
