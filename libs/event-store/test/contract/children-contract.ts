import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { batchOf, NEW_YEAR, newProject, sampleEvent, writeEvents } from '../event-fixture.js';

/** Look-ups of children and parents. */
export function childrenContract(store: () => EventStore): void {
  const ids = (locations: readonly { readonly eventId: string }[]) =>
    locations.map(({ eventId }) => eventId).sort();

  const sorted = <Child extends { readonly eventId: string }>(children: readonly Child[]) =>
    [...children].sort((a, b) => (a.eventId < b.eventId ? -1 : 1));

  /** The children of events, which are the same however they are read. */
  async function childrenOf(projectId: string, parents: readonly Event[]) {
    const children = await store().sessions.childrenOf(projectId, parents);
    const derived = await store().events.derivedOf(projectId, parents);
    // As lists: the comparison of two sets of objects compares each with each.
    expect(sorted(derived.children)).toStrictEqual(sorted(children));
    return children;
  }

  it('returns the events directly below those of a page, each with its parent and start', async () => {
    const [project_id, session_id] = [newProject(), randomUUID()];
    const at = { project_id, session_id };
    const session = sampleEvent({ ...at, event_id: session_id, event_type: 'session' });
    const agent = sampleEvent({ ...at, parent_id: session_id });
    const call = sampleEvent({ ...at, parent_id: agent.event_id, start_time: NEW_YEAR + 86_400_000 });
    const below = sampleEvent({ ...at, parent_id: call.event_id });
    const elsewhere = sampleEvent({ project_id, session_id: randomUUID(), parent_id: agent.event_id });
    await writeEvents(store(), [
      session,
      agent,
      call,
      below,
      elsewhere,
      sampleEvent({ session_id, parent_id: session_id }),
    ]);
    const locations = await childrenOf(project_id, [session, agent]);
    expect(ids(locations)).toStrictEqual(ids([{ eventId: agent.event_id }, { eventId: call.event_id }]));
    expect(locations).toContainEqual({
      eventId: call.event_id,
      parentId: agent.event_id,
      startTime: NEW_YEAR + 86_400_000,
    });
    expect(await childrenOf(project_id, [])).toStrictEqual([]);
  });

  it('returns a child only below its newest parent, and never a deleted one', async () => {
    const [project_id, session_id] = [newProject(), randomUUID()];
    const [first, second] = [
      sampleEvent({ project_id, session_id }),
      sampleEvent({ project_id, session_id }),
    ];
    const moved = sampleEvent({ project_id, session_id, parent_id: first.event_id });
    const deleted = sampleEvent({ project_id, session_id, parent_id: first.event_id });
    await writeEvents(store(), [first, second, moved, deleted], 1);
    await writeEvents(store(), [{ ...moved, parent_id: second.event_id }], 50);
    const { event_id: eventId, start_time: startTime } = deleted;
    await store().writer.write(
      batchOf({
        tombstones: [{ projectId: project_id, eventId, sessionId: session_id, startTime, version: 60 }],
      }),
    );
    expect(await childrenOf(project_id, [first])).toStrictEqual([]);
    expect(ids(await childrenOf(project_id, [second, first]))).toStrictEqual([moved.event_id]);
  });

  it('returns the first thousand children of one event, and all children of the others', async () => {
    const [project_id, session_id] = [newProject(), randomUUID()];
    const [crowded, other] = [
      sampleEvent({ project_id, session_id }),
      sampleEvent({ project_id, session_id }),
    ];
    const below = (parent: string, offset: number) =>
      sampleEvent({ project_id, session_id, parent_id: parent, start_time: NEW_YEAR + offset });
    const crowd = Array.from({ length: 1_010 }, (_, i) => below(crowded.event_id, i));
    const last = below(other.event_id, 5_000);
    await writeEvents(store(), [...crowd, last, crowded, other]);
    const children = await childrenOf(project_id, [crowded, other]);
    expect(ids(children)).toStrictEqual(
      ids([...crowd.slice(0, 1_000), last].map(({ event_id }) => ({ eventId: event_id }))),
    );
  });

  it('returns the parents of named events in any session, and nothing for unknown ones', async () => {
    const project_id = newProject();
    const [one, two] = [
      sampleEvent({ project_id, session_id: randomUUID(), parent_id: 'x' }),
      sampleEvent({ project_id }),
    ];
    await writeEvents(store(), [one, two]);
    const locations = await store().sessions.treePlacesOf(project_id, [
      one.event_id,
      two.event_id,
      randomUUID(),
      'no id',
    ]);
    expect(ids(locations)).toStrictEqual(ids([{ eventId: one.event_id }, { eventId: two.event_id }]));
    expect(locations.find(({ eventId }) => eventId === one.event_id)?.parentId).toBe('x');
    expect(await store().sessions.treePlacesOf(newProject(), [one.event_id])).toStrictEqual([]);
  });
}
