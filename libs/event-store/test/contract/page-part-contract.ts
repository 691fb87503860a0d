import type { Event } from '@assay/domain';
import type { EventStore, PagePart, UnreadEvent } from '../../src/event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../../src/sql/engine/engine.js';
import { unreadEvent } from '../../src/unread-event.js';
import { batchOf, NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const KILOBYTE = 1_000;

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
        inputs: { text: 'p'.repeat(payload) },
        metadata: { text: 'm'.repeat(metadata) },
      }),
    );
    await writeEvents(store(), events);
    return events;
  }

  async function readParts(from: EventStore, projectId: string, unread: readonly UnreadEvent[]) {
    const parts: PagePart[] = [];
    for (let left = unread; left.length > 0;) {
      const part = await from.continuePage(projectId, left);
      parts.push(part);
      left = part.unread;
    }
    return parts;
  }

  it('are the page of a search while they are small', async () => {
    const [first] = await written(30);
    const query = queryOf({ limit: 10, offset: 5 });
    const page = await store().startPage(first!.project_id, query);
    expect(page).toStrictEqual({ ...(await store().search(first!.project_id, query)), unread: [] });
    expect(page.total).toBe(30);
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
        await expect(limited.search(projectId, queryOf())).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
        });
        const start = await limited.startPage(projectId, queryOf({ offset: 1 }));
        expect([start.events, start.total]).toEqual([[], 12]);
        const parts = await readParts(limited, projectId, start.unread);
        expect(parts.flatMap((part) => part.events)).toEqual(events.slice(1));
        expect(Math.max(...parts.map((part) => part.events.length))).toBeLessThanOrEqual(5);
      } finally {
        await limited.close();
      }
    },
  );

  it('contain events that were moved since, and none that was deleted', async () => {
    const [moved, deleted, last] = (await written(3)) as [Event, Event, Event];
    const projectId = moved.project_id;
    const unread = [moved, deleted, last].map((event) => unreadOf(event));
    const session_id = '1b6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f11';
    const tombstone = ({ event_id: eventId, session_id: sessionId, start_time: startTime }: Event) => ({
      ...{ projectId, eventId, sessionId, startTime },
      version: 50,
    });
    await store().write(
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

  it('are not read for a client that has disconnected, nor in another project', async () => {
    const [event] = (await written(1)) as [Event];
    const unread = [unreadOf(event)];
    expect(await store().continuePage(newProject(), unread)).toEqual({ events: [], unread: [] });
    const reading = store().continuePage(event.project_id, unread, { signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
}
