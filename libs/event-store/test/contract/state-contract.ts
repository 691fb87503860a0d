import { randomUUID } from 'node:crypto';
import type { EventChanges, EventStore } from '../../src/event-store.js';
import { NEW_YEAR, batchOf, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

/** Reads of the writer: states and known ids; and totals of sessions. */
export function stateContract(store: () => EventStore): void {
  const changesOf = (fields: Partial<EventChanges>): EventChanges => ({
    projectId: 'project',
    eventId: randomUUID(),
    patch: {},
    deleted: false,
    version: 1,
    ...fields,
  });

  it('returns an event with its version and its changes', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const { project_id: projectId, event_id: eventId } = event;
    const changes = changesOf({
      projectId,
      eventId,
      patch: { metadata: { 'a\0': '\ud800', n: 1e20 }, duration: 5, children_ids: ['x'] },
      updateIds: ['0123456789abcdef', 'b'],
      version: 12,
    });
    await store().writer.write(batchOf({ rows: [rowOf(event, 2 ** 53 - 1)], changes: [changes] }));
    const states = await store().states.read([{ projectId, eventId }]);
    expect([...states]).toStrictEqual([
      [`${projectId}/${eventId}`, { event: { ...event, version: 2 ** 53 - 1 }, changes }],
    ]);
  });

  it('returns the changes of an event that has not arrived', async () => {
    const changes = changesOf({ projectId: newProject(), patch: { feedback: { rating: 5 } } });
    await store().writer.write(batchOf({ changes: [changes] }));
    const states = await store().states.read([changes]);
    expect(states.get(`${changes.projectId}/${changes.eventId}`)).toStrictEqual({ changes });
    expect(await store().events.find(changes.projectId, changes.eventId)).toBeUndefined();
  });

  it('returns the newest changes, in whatever order they arrive', async () => {
    const first = changesOf({ projectId: newProject(), version: 5 });
    const second = { ...first, patch: { metrics: { a: 1 } }, deleted: true, version: 6 };
    for (const changes of [second, first, second])
      await store().writer.write(batchOf({ changes: [changes] }));
    expect([...(await store().states.read([first])).values()]).toStrictEqual([{ changes: second }]);
  });

  it('returns only the changes of a deleted event', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = event;
    const changes = changesOf({ projectId, eventId, deleted: true, version: 3 });
    await writeEvents(store(), [event], 1);
    await store().writer.write(
      batchOf({ tombstones: [{ projectId, eventId, sessionId, startTime, version: 3 }], changes: [changes] }),
    );
    expect([...(await store().states.read([{ projectId, eventId }])).values()]).toStrictEqual([{ changes }]);
  });

  it('returns nothing for unknown ids, text that is not an id, and other projects', async () => {
    const event = sampleEvent({ project_id: newProject() });
    await writeEvents(store(), [event]);
    const ids = [randomUUID(), 'not an id', '', `' OR 1=1 --`, event.event_id.toUpperCase()];
    const keys = ids.map((eventId) => ({ projectId: event.project_id, eventId }));
    expect(
      (await store().states.read([...keys, { projectId: newProject(), eventId: event.event_id }])).size,
    ).toBe(0);
    expect((await store().states.read([])).size).toBe(0);
    expect(await store().events.find(newProject(), event.event_id)).toBeUndefined();
    for (const id of ids) expect(await store().events.find(event.project_id, id)).toBeUndefined();
  });

  it('returns the states of 2,500 events of several projects', async () => {
    const projects = [newProject(), newProject()];
    const events = Array.from({ length: 2_500 }, (_, i) =>
      sampleEvent({ project_id: projects[i % 2], start_time: NEW_YEAR + i * 3_600_000 }),
    );
    await writeEvents(store(), events);
    const states = await store().states.read(
      events.map((event) => ({ projectId: event.project_id, eventId: event.event_id })),
    );
    expect(states.size).toBe(2_500);
    for (const event of events)
      expect(states.get(`${event.project_id}/${event.event_id}`)?.event).toMatchObject(event);
  });

  it('returns every id that has a row, deleted or not, or changes', async () => {
    const projectId = newProject();
    const [kept, deleted] = [sampleEvent({ project_id: projectId }), sampleEvent({ project_id: projectId })];
    const waiting = changesOf({ projectId });
    const tombstone = {
      projectId,
      eventId: deleted.event_id,
      sessionId: deleted.session_id,
      startTime: deleted.start_time,
      version: 9,
    };
    await store().writer.write(
      batchOf({ rows: [rowOf(kept, 1), rowOf(deleted, 2)], tombstones: [tombstone], changes: [waiting] }),
    );
    const known = new Set<string>();
    const since = new Set<string>();
    await store().states.knownIds((page) => page.forEach((id) => known.add(id)));
    const ids = [kept.event_id, deleted.event_id, waiting.eventId];
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
    const [past, future] = [-3_600, 3_600].map((seconds) => Date.now() / 1_000 + seconds);
    await store().states.knownIds((page) => page.forEach((id) => since.add(id)), { since: past });
    expect(ids.filter((id) => !since.has(id))).toEqual([]);
    since.clear();
    await store().states.knownIds((page) => page.forEach((id) => since.add(id)), { since: future });
    expect(ids.filter((id) => since.has(id))).toEqual([waiting.eventId]);
    const onPage = () => expect('a page').toBe('none');
    expect(await store().states.knownIds(onPage, { atMost: 3 })).toBe(false);
    expect(await store().states.knownIds(() => undefined, { atMost: 1e9 })).toBe(true);
  });

  it('totals the visible events of a session, excluding the session itself', async () => {
    const project_id = newProject();
    const session_id = randomUUID();
    const part = { project_id, session_id };
    const usage = { cost: 0.25, prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const crowded = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]));
    const open = { end_time: null, duration: null };
    const deletedEvent = sampleEvent({ ...part, metadata: usage });
    await writeEvents(store(), [
      sampleEvent({
        ...part,
        event_id: session_id,
        event_type: 'session',
        start_time: NEW_YEAR - 9,
        metadata: usage,
        feedback: { rating: 1 },
      }),
      sampleEvent({ ...part, metadata: usage, start_time: NEW_YEAR + 5, end_time: NEW_YEAR + 50 }),
      sampleEvent({
        ...part,
        metadata: { ...crowded, ...usage },
        start_time: NEW_YEAR + 7,
        end_time: NEW_YEAR + 20,
      }),
      sampleEvent({ ...part, event_type: 'tool', metadata: usage, start_time: NEW_YEAR + 6, ...open }),
      deletedEvent,
    ]);
    await store().writer.write(
      batchOf({
        tombstones: [
          {
            projectId: project_id,
            eventId: deletedEvent.event_id,
            sessionId: session_id,
            startTime: deletedEvent.start_time,
            version: 99,
          },
        ],
      }),
    );
    const rollups = await store().sessions.rollups(project_id, [session_id, randomUUID(), 'no id']);
    const sums = {
      cost: 0.5,
      unpricedModels: [],
      promptTokens: 20,
      completionTokens: 10,
      totalTokens: 30,
      firstStart: NEW_YEAR + 5,
      lastEnd: NEW_YEAR + 50,
    };
    expect([...rollups]).toStrictEqual([
      [session_id, { numEvents: 3, numModelEvents: 2, numErrors: 0, hasFeedback: false, ...sums }],
    ]);
    expect((await store().sessions.rollups(newProject(), [session_id])).size).toBe(0);
  });

  it('reports whether a session has feedback, and omits an unknown end', async () => {
    const event = sampleEvent({
      project_id: newProject(),
      event_type: 'tool',
      end_time: null,
      duration: null,
      feedback: { rating: 0 },
    });
    await writeEvents(store(), [event]);
    const rollup = (await store().sessions.rollups(event.project_id, [event.session_id])).get(
      event.session_id,
    );
    expect(rollup).toMatchObject({ hasFeedback: true, numModelEvents: 0, cost: 0, lastEnd: undefined });
  });
}
