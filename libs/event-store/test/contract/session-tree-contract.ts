import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { SessionTreePage, SessionTreeQuery } from '../../src/sessions-port.js';
import { batchOf, NEW_YEAR, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

/** Trees of sessions. */
export function sessionTreeContract(store: () => EventStore): void {
  const sessionId = randomUUID();
  const eventOf = (projectId: string, fields: Partial<Event>) =>
    sampleEvent({ project_id: projectId, session_id: sessionId, ...fields });
  async function read(
    projectId: string,
    query: Partial<SessionTreeQuery> = {},
  ): Promise<SessionTreePage | undefined> {
    const bounds = await store().sessions.bounds(projectId, sessionId);
    if (bounds === undefined) return undefined;
    return store().sessions.tree(projectId, { sessionId, bounds, limit: 100, ...query });
  }
  const watermarkOf = async (projectId: string) =>
    (await store().sessions.bounds(projectId, sessionId))?.watermark;

  it('contain what a tree shows of each event, and the session itself', async () => {
    const project_id = newProject();
    const session = eventOf(project_id, { event_id: sessionId, event_type: 'session', event_name: 'chat' });
    const parent = eventOf(project_id, {
      event_name: 'x'.repeat(300),
      event_type: 'chain',
      start_time: NEW_YEAR + 1.5,
      end_time: NEW_YEAR + 11.5,
      duration: null,
      error: 'e'.repeat(300),
      metadata: { span_kind: 'AGENT', operation_name: 'invoke_agent' },
      parent_id: sessionId,
    });
    const crowd = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]));
    const call = eventOf(project_id, {
      start_time: NEW_YEAR + 90 * 60_000,
      metadata: { ...crowd, total_tokens: 7, cost: 0.25, operation_name: 'chat' },
      config: { model: 'gpt-4o' },
      metrics: { good: true, score: 0.5, note: 'text', list: [1] },
      parent_id: parent.event_id,
    });
    await writeEvents(store(), [session, call, parent]);
    const page = await read(project_id);
    expect(page?.session).toEqual({ ...session, inputs: {}, outputs: {}, config: {} });
    const none = { error: null, kind: '', model: '', tokens: null, cost: null, scores: {} };
    expect(page?.rows).toEqual([
      {
        ...none,
        eventId: parent.event_id,
        parentId: sessionId,
        type: 'chain',
        name: 'x'.repeat(200),
        startTime: NEW_YEAR + 1.5,
        duration: 10,
        error: 'e'.repeat(200),
        kind: 'AGENT',
        model: 'm',
      },
      {
        ...none,
        eventId: call.event_id,
        parentId: parent.event_id,
        type: 'model',
        name: 'answer',
        startTime: NEW_YEAR + 90 * 60_000,
        duration: 250,
        kind: 'chat',
        tokens: 7,
        cost: 0.25,
        scores: { good: true, score: 0.5 },
      },
    ]);
    expect(page?.hasMore).toBe(false);
  });

  it('begin with what the session was given, or else its root event', async () => {
    const project_id = newProject();
    const [own, root, orphan] = [randomUUID(), randomUUID(), randomUUID()];
    const [bare, far] = [randomUUID(), randomUUID()];
    const at = (session_id: string, offset: number, fields: Partial<Event>) =>
      sampleEvent({
        project_id,
        session_id,
        start_time: NEW_YEAR + offset,
        inputs: {},
        outputs: {},
        ...fields,
      });
    const session = (id: string, fields: Partial<Event> = {}) =>
      at(id, 0, { event_id: id, event_type: 'session', parent_id: null, ...fields });
    const first = at(root, 5, { parent_id: root, inputs: { question: 'Where is 🥨 my order?' } });
    const earliest = at(orphan, 7, { parent_id: randomUUID(), outputs: { answer: 'there' } });
    await writeEvents(store(), [
      session(own, { inputs: { question: 'of the session' } }),
      at(own, 1, { parent_id: own, inputs: { question: 'of an event' } }),
      session(root),
      at(root, 1, { parent_id: first.event_id, inputs: { question: 'of a step' } }),
      first,
      at(root, 6, { parent_id: root, inputs: { question: 'later' } }),
      at(orphan, 9, { parent_id: randomUUID(), inputs: { question: 'later' } }),
      earliest,
      session(bare),
      session(far),
      at(far, 3 * 3_600_000, { parent_id: far, inputs: { question: 'hours later' } }),
    ]);
    const asked = [own, root, orphan, bare, far, randomUUID()].map((sessionId) => ({
      sessionId,
      startTime: NEW_YEAR,
    }));
    const found = await store().sessions.previews(project_id, asked, 27);
    expect(Object.fromEntries(found)).toEqual({
      [own]: { eventId: own, inputs: '{"question":"of the session', outputs: '{}' },
      [root]: { eventId: first.event_id, inputs: '{"question":"Where is 🥨 my ', outputs: '{}' },
      [orphan]: { eventId: earliest.event_id, inputs: '{}', outputs: '{"answer":"there"}' },
    });
    expect((await store().sessions.previews(newProject(), asked, 27)).size).toBe(0);
    expect((await store().sessions.previews(project_id, asked, 0)).size).toBe(0);
    expect((await store().sessions.previews(project_id, [], 27)).size).toBe(0);
  });

  it('are read in pages, without a session row and without deleted events', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 5 }, (_, index) =>
      eventOf(project_id, { start_time: NEW_YEAR + Math.floor(index / 2) }),
    );
    await writeEvents(store(), events);
    const deleted = {
      projectId: project_id,
      eventId: events[4]!.event_id,
      sessionId,
      startTime: NEW_YEAR + 2,
    };
    await store().writer.write(batchOf({ tombstones: [{ ...deleted, version: 99 }] }));
    const first = await read(project_id, { limit: 3 });
    const last = first?.rows.at(-1);
    const second = await read(project_id, { limit: 3, after: last });
    expect([first?.hasMore, second?.hasMore, first?.session]).toEqual([true, false, undefined]);
    const ids = [...(first?.rows ?? []), ...(second?.rows ?? [])].map((row) => row.eventId);
    expect(ids.sort()).toEqual(
      events
        .slice(0, 4)
        .map((event) => event.event_id)
        .sort(),
    );
  });

  it('have a watermark that differs after every change, and not otherwise', async () => {
    const project_id = newProject();
    const event = eventOf(project_id, {});
    expect(await watermarkOf(project_id)).toBeUndefined();
    await writeEvents(store(), [event]);
    const first = await watermarkOf(project_id);
    await writeEvents(store(), [event]);
    expect(await watermarkOf(project_id)).toBe(first);
    await store().writer.write(batchOf({ rows: [rowOf({ ...event, event_name: 'b' }, 5)] }));
    const second = await watermarkOf(project_id);
    const { event_id: eventId, start_time: startTime } = event;
    const tombstone = { projectId: project_id, eventId, sessionId, startTime, version: 6 };
    await store().writer.write(batchOf({ tombstones: [tombstone] }));
    expect(new Set([first, second, await watermarkOf(project_id)]).size).toBe(3);
  });

  it('have rows of their own, which are read without payloads', async () => {
    const project_id = newProject();
    const session = eventOf(project_id, { event_id: sessionId, event_type: 'session' });
    await writeEvents(store(), [session, eventOf(project_id, {})]);
    const moved = { ...session, start_time: NEW_YEAR + 5 * 3_600_000, event_name: 'moved' };
    await store().writer.write(batchOf({ rows: [rowOf(moved, 9)] }));
    const ids = [sessionId, 'no id', randomUUID()];
    expect(await store().sessions.rows(project_id, ids)).toEqual([
      { ...moved, inputs: {}, outputs: {}, config: {} },
    ]);
    expect(await store().sessions.rows(newProject(), ids)).toEqual([]);
  });

  it('of another project are unknown', async () => {
    await writeEvents(store(), [eventOf(newProject(), {})]);
    expect(await store().sessions.bounds(newProject(), sessionId)).toBeUndefined();
    expect(await store().sessions.bounds(newProject(), 'no id')).toBeUndefined();
    const bounds = { watermark: '1', firstHour: 0, lastHour: 4_102_444_800 };
    const page = await store().sessions.tree(newProject(), { sessionId, bounds, limit: 10 });
    expect(page).toEqual({ rows: [], hasMore: false });
  });
}
