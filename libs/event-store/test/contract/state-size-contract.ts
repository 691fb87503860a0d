import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../src/event-store.js';
import { batchOf, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

/** Sizes of states, which bound how much is loaded at a time. */
export function stateSizeContract(store: () => EventStore): void {
  it('returns the sizes of events and their updates, without those of other projects', async () => {
    const project_id = newProject();
    const small = sampleEvent({ project_id });
    const large = sampleEvent({ project_id, outputs: { text: 'o'.repeat(5_000) } });
    const updated = sampleEvent({ project_id, metadata: { text: 'm'.repeat(2_000) } });
    const patch = { feedback: { text: 'f'.repeat(3_000) } };
    const ids = { projectId: project_id, eventId: updated.event_id };
    await writeEvents(store(), [small, large]);
    await store().writer.write(
      batchOf({ rows: [rowOf(updated, 1)], changes: [{ ...ids, patch, deleted: false, version: 2 }] }),
    );
    await writeEvents(store(), [sampleEvent({ ...large, project_id: newProject() })]);
    const keyOf = (eventId: string) => ({ projectId: project_id, eventId });
    const sizes = await store().states.sizes(
      [small.event_id, large.event_id, updated.event_id, randomUUID(), 'no id'].map(keyOf),
    );
    expect([...sizes.keys()].sort()).toEqual(
      [small, large, updated].map(({ event_id }) => `${project_id}/${event_id}`).sort(),
    );
    const sizeOf = ({ event_id }: { event_id: string }) => sizes.get(`${project_id}/${event_id}`) ?? 0;
    expect(sizeOf(small)).toBeLessThan(1_000);
    for (const [event, bytes] of [[large, 5_000] as const, [updated, 5_000] as const]) {
      expect(sizeOf(event)).toBeGreaterThanOrEqual(bytes);
      expect(sizeOf(event)).toBeLessThan(bytes + 1_000);
    }
  });
}
