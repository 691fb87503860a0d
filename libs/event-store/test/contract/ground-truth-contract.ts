import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { newProject, sampleEvent, writeEvents } from '../event-fixture.js';

/** Labels in the ground truths of the events of sessions. */
export function groundTruthContract(store: () => EventStore): void {
  it('are the booleans and texts of the names, of the events of these sessions only', async () => {
    const [projectId, session_id, other] = [newProject(), randomUUID(), randomUUID()];
    const truths: readonly Event['feedback'][] = [
      { ground_truth: { right: false, category: 'a "b" \\ é', more: 1 } },
      { ground_truth: { right: 1, category: ['x'], 'a.b': true } },
      { ground_truth: { category: 'x'.repeat(2_000), right: 'true' } },
      { ground_truth: 'text' },
      { rating: 5 },
    ];
    const events = truths.map((feedback) => sampleEvent({ project_id: projectId, session_id, feedback }));
    const elsewhere = sampleEvent({ project_id: projectId, session_id: other, feedback: truths[0] });
    await writeEvents(store(), [...events, elsewhere]);
    const unknown = Array.from({ length: 6_000 }, () => randomUUID());
    const query = { sessionIds: [...unknown, 'no id', session_id], names: ['right', 'category', 'a.b'] };
    const found = await store().aggregates.groundTruths(projectId, query);
    const labels = events.map(({ event_id: id }) => Object.fromEntries(found.get(id) ?? []));
    expect(labels).toEqual([
      { right: false, category: 'a "b" \\ é' },
      { 'a.b': true },
      { right: 'true' },
      {},
      {},
    ]);
    expect(found.has(elsewhere.event_id)).toBe(false);
    expect((await store().aggregates.groundTruths(newProject(), query)).size).toBe(0);
    expect((await store().aggregates.groundTruths(projectId, { ...query, names: [] })).size).toBe(0);
  });
}
