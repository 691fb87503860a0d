import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '../../src/event-store.js';
import { batchOf, NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const MONTH_MS = 31 * 86_400_000;

/** Removal of everything that is stored of a project. `reopen` returns a second store on the same tables. */
export function projectContract(store: () => EventStore, reopen: () => EventStore): void {
  /** Writes events of several months, updates of them, and a tombstone. */
  async function fullProject(): Promise<string> {
    const project_id = newProject();
    const events = [0, 1, 2].flatMap((month) =>
      Array.from({ length: 20 }, () =>
        sampleEvent({ project_id, session_id: randomUUID(), start_time: NEW_YEAR + month * MONTH_MS }),
      ),
    );
    await writeEvents(store(), events);
    const [first] = events;
    const changes = events.map(({ event_id: eventId }) => ({
      projectId: project_id,
      eventId,
      patch: { metrics: { a: 1 } },
      deleted: false,
      version: 500,
    }));
    const tombstone = {
      projectId: project_id,
      eventId: first!.event_id,
      sessionId: first!.session_id,
      startTime: first!.start_time,
      version: 600,
    };
    await store().writer.write(batchOf({ changes, tombstones: [tombstone] }));
    return project_id;
  }

  async function removeAll(from: EventStore, projectId: string): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!(await from.administration.removeProject(projectId)).isComplete) {
      if (Date.now() > deadline) throw new Error('the project is not removed in time');
      await delay(10);
    }
  }

  it('lists the projects that it has rows of', async () => {
    const [withRows, withChanges] = [newProject(), newProject()];
    await writeEvents(store(), [sampleEvent({ project_id: withRows })]);
    const changes = { projectId: withChanges, eventId: randomUUID(), patch: {}, deleted: true, version: 1 };
    await store().writer.write(batchOf({ changes: [changes] }));
    expect(await store().administration.projectIds()).toEqual(
      expect.arrayContaining([withRows, withChanges]),
    );
  });

  it('removes all rows of a project in steps, and no row of another', async () => {
    const [removed, other] = [await fullProject(), await fullProject()];
    const idsOf = async (project: string) =>
      (await store().events.search(project, queryOf({ limit: 100 }))).events.map(({ event_id: id }) => id);
    const [removedIds, otherIds] = [await idsOf(removed), await idsOf(other)];
    expect((await store().administration.removeProject(removed)).isComplete).toBe(false);
    await removeAll(store(), removed);
    const known = new Set<string>();
    await store().states.knownIds((ids) => ids.forEach((id) => known.add(id)));
    expect(removedIds.filter((id) => known.has(id))).toEqual([]);
    expect(otherIds.filter((id) => !known.has(id))).toEqual([]);
    expect(otherIds).toHaveLength(59);
    expect(await store().administration.projectIds()).not.toContain(removed);
    expect((await store().events.search(removed, queryOf())).total).toBe(0);
    expect((await store().events.search(other, queryOf())).total).toBe(59);
  });

  it('continues an interrupted removal from another store, and removes what is written afterwards', async () => {
    const removed = await fullProject();
    await store().administration.removeProject(removed);
    const another = reopen();
    try {
      await Promise.all([removeAll(another, removed), removeAll(store(), removed)]);
      await store().writer.write(batchOf({ rows: [rowOf(sampleEvent({ project_id: removed }), 1)] }));
      expect(await another.administration.projectIds()).toContain(removed);
      await removeAll(another, removed);
      expect(await store().administration.projectIds()).not.toContain(removed);
    } finally {
      await another.administration.close();
    }
  });

  it('has nothing to remove of an unknown project, whatever its id contains', async () => {
    for (const id of [newProject(), `'; DROP TABLE events; --`, '\\', '{a:String}'])
      expect(await store().administration.removeProject(id)).toEqual({ isComplete: true, rows: 0 });
  });
}
