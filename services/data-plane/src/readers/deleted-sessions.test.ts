import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { encodeRecord } from '@assay/contracts';
import { acceptEvent, synthesiseSession, type Event } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import { createChdbEventStore, type EventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-store/rows';
import { EventIdFilter } from './event-id-filter.js';
import { EventStateCache } from './event-state-cache.js';
import { makeStoreReader } from './store-reader.js';

const PROJECT = 'p1';
const NOW = 1_790_000_000_000;
const dir = mkdtempSync(join(tmpdir(), 'assay-deleted-sessions-'));
let store: EventStore;

beforeAll(async () => {
  store = createChdbEventStore({ dir });
  await store.migrate();
});
afterAll(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Readers of different partitions, as in different processes: each with a memory of its own. */
const aReader = () =>
  makeStoreReader({
    store,
    known: new EventIdFilter(1 << 24),
    recent: new EventStateCache(1 << 20),
    epoch: 0,
  });

function eventIn(sessionId: string, fields: Partial<Event> = {}): Event {
  const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
  return {
    ...acceptEvent({ event_type: 'tool', inputs: {}, session_id: sessionId }, context).event,
    ...fields,
  };
}

let offset = 0;
function placed(
  kind: 'event' | 'patch' | 'delete',
  event: Pick<Event, 'event_id'>,
  value: Buffer = Buffer.alloc(0),
  at = offset++,
): ConsumedRecord {
  return {
    ...encodeRecord({ kind, projectId: PROJECT, eventId: event.event_id, fresh: false, value }),
    partition: 0,
    offset: at,
    appendedAt: NOW,
  };
}
const created = (event: Event, at?: number) => placed('event', event, encodeEventRow(event), at);
const patched = (event: Event) => placed('patch', event, Buffer.from('{"metadata":{"late":true}}'));
const deleted = (id: string) => placed('delete', { event_id: id });

const countIn = async (session: string) =>
  (
    await store.search(PROJECT, {
      filters: [{ field: 'session_id', operator: 'is', type: 'string', value: session }],
      limit: 100,
      offset: 0,
      ordered: false,
    })
  ).total;

describe('a deleted session', () => {
  it('takes along the events that are stored, and no others', async () => {
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

  it('takes along events that arrive later, in one batch or in another, also for a reader that knows nothing of the delete', async () => {
    const session = randomUUID();
    const [reader, early] = [aReader(), eventIn(session)];
    await reader([deleted(session), created(early)]);
    await reader([created(eventIn(session)), created(synthesiseSession([early]))]);
    await aReader()([created(eventIn(session))]);
    expect(await countIn(session)).toBe(0);
  });

  it('takes along events that two readers store while a third one deletes', async () => {
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

  it('stays away when its records are delivered again, in another cut, from partitions that are further on', async () => {
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

  it('takes its events away also when the reader had stopped right after the mark was stored', async () => {
    const session = randomUUID();
    const event = eventIn(session);
    await aReader()([created(event)]);
    const remove = deleted(session);
    const changes = [
      { projectId: PROJECT, eventId: session, patch: {}, deleted: true, version: remove.offset },
    ];
    await store.write({ rows: [], tombstones: [], changes, token: randomUUID() });
    expect(await countIn(session)).toBe(1);
    await aReader()([remove]);
    expect(await countIn(session)).toBe(0);
  });

  it('leaves an event alone that is named like no session', async () => {
    const session = randomUUID();
    const [one, another] = [eventIn(session), eventIn(session)];
    await aReader()([created(one), created(another), deleted(one.event_id)]);
    expect(await countIn(session)).toBe(1);
  });
});
