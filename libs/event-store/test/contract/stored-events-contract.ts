import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore, UnreadEvent } from '../../src/event-store.js';
import { batchOf, NEW_YEAR, newProject, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { tombstoneOf } from '../purge-fixture.js';

const HOUR = 3_600_000;

/** Listing events by the time at which they were stored. */
export function storedEventsContract(opened: () => EventStore): void {
  let store: EventStore;
  let project_id = '';
  beforeAll(() => {
    store = opened();
  });
  beforeEach(() => (project_id = newProject()));

  const anEvent = (fields: Partial<Event> = {}) =>
    sampleEvent({ project_id, session_id: randomUUID(), ...fields });
  const seconds = () => Math.floor(Date.now() / 1_000);

  /** Ids over all pages. */
  async function allOf(range: { from: number; to: number }, limit = 1_000): Promise<string[]> {
    const found: UnreadEvent[] = [];
    for (;;) {
      const page = await store.events.storedEvents(project_id, { ...range, after: found.at(-1), limit });
      found.push(...page);
      if (page.length < limit) return found.map(({ eventId }) => eventId);
    }
  }

  it('lists events by the time of the write, whenever they started, over pages, of no other project', async () => {
    const from = seconds();
    const starts = [5, NEW_YEAR, NEW_YEAR + HOUR, Date.now() + 400 * HOUR];
    const events = Array.from({ length: 23 }, (_, index) => anEvent({ start_time: starts[index % 4]! }));
    await writeEvents(store, events);
    await writeEvents(store, [anEvent({ project_id: newProject() })]);
    const to = seconds() + 1;
    const ids = events.map(({ event_id }) => event_id).sort();
    expect((await allOf({ from, to })).sort()).toEqual(ids);
    expect((await allOf({ from, to }, 4)).sort()).toEqual(ids);
    expect(await allOf({ from: to, to: to + 3_600 })).toEqual([]);
    expect(await allOf({ from: 0, to: from })).toEqual([]);
  });

  it('lists an event again when it changes, once, also when the update keeps its payload', async () => {
    const [first, second] = [anEvent(), anEvent()];
    const from = seconds();
    await writeEvents(store, [first, second], 10);
    const bytes = Buffer.byteLength(
      JSON.stringify(first.inputs) + JSON.stringify(first.outputs) + JSON.stringify(first.config),
    );
    const { bytes: row } = rowOf({ ...first, metrics: { score: 1 } }, 20);
    await store.writer.write(batchOf({ rows: [{ bytes: row, version: 20, keeps: { version: 10, bytes } }] }));
    const ids = await allOf({ from, to: seconds() + 1 });
    expect(ids.sort()).toEqual([first.event_id, second.event_id].sort());
  });

  it('lists an event that was relocated where it is, and none that was deleted', async () => {
    const [deleted, relocated] = [anEvent(), anEvent()];
    const from = seconds();
    await writeEvents(store, [deleted, relocated], 10);
    const moved = { ...relocated, session_id: randomUUID() };
    await store.writer.write(
      batchOf({
        rows: [rowOf(moved, 11)],
        tombstones: [tombstoneOf(deleted, Number.MAX_SAFE_INTEGER), tombstoneOf(relocated, 20)],
      }),
    );
    const page = await store.events.storedEvents(project_id, { from, to: seconds() + 1, limit: 10 });
    expect(page.map(({ eventId, sessionId }) => [eventId, sessionId])).toEqual([
      [moved.event_id, moved.session_id],
    ]);
    const part = await store.events.continuePage(project_id, page);
    expect(part.events).toEqual([moved]);
  });
}
