import { randomUUID } from 'node:crypto';
import type { RowLocation, EventStore } from '../../src/event-store.js';
import { batchOf, newProject, sampleEvent, writeEvents } from '../event-fixture.js';

/** Operations for deleting a whole session. */
export function sessionContract(store: () => EventStore): void {
  async function allLocations(
    projectId: string,
    sessionIds: readonly string[],
    limit: number,
  ): Promise<RowLocation[]> {
    const locations: RowLocation[] = [];
    for (;;) {
      const page = await store().states.rowLocations(projectId, sessionIds, {
        after: locations.at(-1)?.eventId,
        limit,
      });
      if (page.length === 0) return locations;
      locations.push(...page);
    }
  }

  it.each([1, 7, 1_000])('returns the locations of the rows of sessions, in pages of %i', async (limit) => {
    const project_id = newProject();
    const sessions = [randomUUID(), randomUUID(), randomUUID()];
    const events = Array.from({ length: 30 }, (_, i) =>
      sampleEvent({
        project_id,
        session_id: sessions[i % 3],
        start_time: 1_790_000_000_000.25 + i * 86_400_000,
      }),
    );
    await writeEvents(store(), [...events, sampleEvent({ session_id: sessions[0] })]);
    const locations = await allLocations(project_id, sessions.slice(0, 2), limit);
    const wanted = events.filter((event) => event.session_id !== sessions[2]);
    const sorted = (list: readonly RowLocation[]) =>
      [...list].sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
    expect(sorted(locations)).toStrictEqual(
      sorted(
        wanted.map((e) => ({
          projectId: project_id,
          eventId: e.event_id,
          sessionId: e.session_id,
          startTime: e.start_time,
        })),
      ),
    );
  });

  it('does not return rows that a tombstone of the same location removed, permanently if its version is the highest', async () => {
    const event = sampleEvent({ project_id: newProject(), session_id: randomUUID() });
    const { project_id: projectId, session_id: sessionId } = event;
    await writeEvents(store(), [event], 5);
    const [location] = await store().states.rowLocations(projectId, [sessionId], { limit: 10 });
    await store().writer.write(batchOf({ tombstones: [{ ...location!, version: Number.MAX_SAFE_INTEGER }] }));
    await writeEvents(store(), [{ ...event, event_name: 'again' }], 2 ** 52);
    expect(await store().states.rowLocations(projectId, [sessionId], { limit: 10 })).toStrictEqual([]);
    expect(await store().events.find(projectId, event.event_id)).toBeUndefined();
  });

  it('returns the locations of the children of parents', async () => {
    const project_id = newProject();
    const [session_id, parent_id] = [randomUUID(), randomUUID()];
    const child = sampleEvent({ project_id, session_id, parent_id });
    await writeEvents(store(), [
      child,
      sampleEvent({ project_id, session_id, parent_id: session_id }),
      sampleEvent({ project_id, session_id }),
    ]);
    const locations = await store().states.rowLocations(project_id, [session_id], {
      limit: 10,
      parentIds: [parent_id, randomUUID()],
    });
    expect(locations.map(({ eventId }) => eventId)).toStrictEqual([child.event_id]);
    expect(
      await store().states.rowLocations(project_id, [session_id], { limit: 10, parentIds: [] }),
    ).toStrictEqual([]);
  });

  it('returns, in pages, the ids of events that were relocated from a session or deleted with it', async () => {
    const project_id = newProject();
    const session_id = randomUUID();
    const moved = Array.from({ length: 5 }, () => sampleEvent({ project_id, session_id }));
    const [kept, deleted] = [
      sampleEvent({ project_id, session_id }),
      sampleEvent({ project_id, session_id }),
    ];
    await writeEvents(store(), [...moved, kept, deleted]);
    const tombstoneOf = ({ event_id: eventId, start_time: startTime }: typeof kept, version: number) => ({
      projectId: project_id,
      eventId,
      sessionId: session_id,
      startTime,
      version,
    });
    const closed = moved.map((event) => tombstoneOf(event, Number.MAX_SAFE_INTEGER));
    for (let time = 0; time < 2; time++)
      await store().writer.write(batchOf({ tombstones: [...closed, tombstoneOf(deleted, 100)] }));
    const found: string[] = [];
    for (;;) {
      const page = { after: found.at(-1), limit: 2 };
      const ids = await store().states.relocatedIds(project_id, [session_id, randomUUID()], page);
      if (ids.length === 0) break;
      expect(ids.length).toBeLessThanOrEqual(2);
      found.push(...ids);
    }
    expect(found.toSorted()).toStrictEqual(moved.map(({ event_id }) => event_id).toSorted());
    expect(await store().states.relocatedIds(newProject(), [session_id], { limit: 10 })).toStrictEqual([]);
  });

  it('returns which of many ids are deleted or moved, also while older changes of them are stored', async () => {
    const projectId = newProject();
    const changesOf = (deleted: boolean) => ({
      projectId,
      eventId: randomUUID(),
      patch: {},
      deleted,
      version: 3,
    });
    const [deletedId, kept] = [changesOf(true), changesOf(false)];
    const moved = { ...changesOf(false), movedTo: randomUUID() };
    await store().writer.write(batchOf({ changes: [{ ...moved, movedTo: undefined, version: 2 }] }));
    await store().writer.write(
      batchOf({
        changes: [deletedId, kept, moved, { ...deletedId, projectId: `${projectId}-other`, deleted: false }],
      }),
    );
    const unknown = Array.from({ length: 2_000 }, () => ({ projectId, eventId: randomUUID() }));
    const keys = [
      ...unknown,
      deletedId,
      kept,
      moved,
      { projectId: `${projectId}-other`, eventId: deletedId.eventId },
      { projectId, eventId: 'no id' },
    ];
    const flags = await store().states.changeFlags(keys);
    expect(flags).toStrictEqual(
      new Map([
        [`${projectId}/${deletedId.eventId}`, { deleted: true }],
        [`${projectId}/${moved.eventId}`, { deleted: false, movedTo: moved.movedTo }],
      ]),
    );
    expect((await store().states.read([moved])).get(`${projectId}/${moved.eventId}`)).toStrictEqual({
      changes: moved,
    });
    expect((await store().states.changeFlags([])).size).toBe(0);
  });
}
