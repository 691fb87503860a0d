import { randomUUID } from 'node:crypto';
import { acceptEvent, synthesiseSession, type Event } from '@assay/domain';
import type { EventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { aReaderOf, consumed, NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';

let store: EventStore;
let removeStore: () => Promise<void>;

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());

/** Readers of different partitions, as in different processes: each has its own caches. */
const aReader = () => aReaderOf(store);

function eventIn(sessionId: string, fields: Partial<Event> = {}): Event {
  const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
  return {
    ...acceptEvent({ event_type: 'tool', inputs: {}, session_id: sessionId }, context).event,
    ...fields,
  };
}

const created = (event: Event, offset?: number) =>
  consumed('event', event.event_id, encodeEventRow(event), offset);
const patched = (event: Event) =>
  consumed('patch', event.event_id, Buffer.from('{"metadata":{"late":true}}'));
const deleted = (id: string) => consumed('delete', id);

const countIn = async (session: string) =>
  (
    await store.events.search(PROJECT, {
      filters: [{ field: 'session_id', operator: 'is', type: 'string', value: session }],
      limit: 100,
      offset: 0,
      ordered: false,
    })
  ).total;

describe('deleting a session', () => {
  it('deletes the stored events of the session and no others', async () => {
    const [session, other] = [randomUUID(), randomUUID()];
    const events = [eventIn(session), eventIn(session, { start_time: NOW + 90 * 86_400_000 })];
    await aReader()([
      created(synthesiseSession([events[0]!])),
      ...events.map((event) => created(event)),
      created(eventIn(other)),
    ]);
    expect(await countIn(session)).toBe(3);
    await aReader()([deleted(session)]);
    expect([await countIn(session), await countIn(other)]).toEqual([0, 1]);
  });

  it('deletes events that arrive later, in the same or another batch, and in another reader', async () => {
    const session = randomUUID();
    const [reader, early] = [aReader(), eventIn(session)];
    await reader([deleted(session), created(early)]);
    await reader([created(eventIn(session)), created(synthesiseSession([early]))]);
    await aReader()([created(eventIn(session))]);
    expect(await countIn(session)).toBe(0);
  });

  it('deletes events that two readers store while a third one deletes', async () => {
    const session = randomUUID();
    const batches = Array.from({ length: 6 }, () =>
      Array.from({ length: 20 }, () => created(eventIn(session))),
    );
    batches.splice(3, 0, [deleted(session)]);
    const readers = [aReader(), aReader(), aReader()];
    await Promise.all(
      readers.map(async (read, index) => {
        for (const batch of batches.filter((_, number) => number % readers.length === index))
          await read(batch);
      }),
    );
    expect(await countIn(session)).toBe(0);
  });

  it('keeps events deleted when records are redelivered in other batches, from partitions with higher offsets', async () => {
    const session = randomUUID();
    const event = eventIn(session);
    const [first, update, remove] = [created(event, 5_000_000), patched(event), deleted(session)];
    await aReader()([first]);
    await aReader()([remove]);
    for (const batch of [
      [first],
      [update],
      [first, update],
      [remove],
      [created({ ...event, start_time: NOW - 7_200_000 }, 5_000_001)],
    ]) {
      await aReader()(batch);
      expect(await countIn(session)).toBe(0);
    }
  });

  it('deletes events when the reader had stopped right after storing the change flag', async () => {
    const session = randomUUID();
    const event = eventIn(session);
    await aReader()([created(event)]);
    const remove = deleted(session);
    const changes = [
      { projectId: PROJECT, eventId: session, patch: {}, deleted: true, version: remove.offset },
    ];
    await store.writer.write({ rows: [], tombstones: [], changes, token: randomUUID() });
    expect(await countIn(session)).toBe(1);
    await aReader()([remove]);
    expect(await countIn(session)).toBe(0);
  });

  it('deletes only the event itself when its id is not a session', async () => {
    const session = randomUUID();
    const [one, another] = [eventIn(session), eventIn(session)];
    await aReader()([created(one), created(another), deleted(one.event_id)]);
    expect(await countIn(session)).toBe(1);
  });
});
