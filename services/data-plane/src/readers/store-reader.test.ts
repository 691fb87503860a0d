import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { encodeRecord } from '@assay/contracts';
import { acceptEvent, type Event, type EventPatch } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import { createChdbEventStore, type EventStore } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-store/rows';
import { EventIdFilter } from './event-id-filter.js';
import { EventStateCache } from './event-state-cache.js';
import { makeStoreReader } from './store-reader.js';

const PROJECT = 'p1';
const dir = mkdtempSync(join(tmpdir(), 'assay-store-reader-'));
let store: EventStore;
let offset = 0;

beforeAll(async () => {
  store = createChdbEventStore({ dir });
  await store.migrate();
});
afterAll(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A reader as after a start: it remembers nothing and has loaded which ids there are. */
async function freshReader() {
  const known = new EventIdFilter(1 << 24);
  await store.knownKeys((keys) => keys.forEach((key) => known.add(key.split('/')[1]!)));
  known.markComplete();
  return makeStoreReader({ store, known, recent: new EventStateCache(1 << 20), epoch: 0 });
}

function eventOf(fields: Partial<Event> = {}): Event {
  const { event } = acceptEvent(
    { event_type: 'model', inputs: { n: 1 }, start_time: 1_790_000_000_000 },
    { projectId: PROJECT, now: 1_790_000_000_000, newId: randomUUID },
  );
  return { ...event, ...fields };
}

type Change = { event: Event } | { patch: EventPatch; of: Event } | { deleted: Event };

function placed(change: Change, at = offset++): ConsumedRecord {
  const [kind, event, value] =
    'event' in change
      ? (['event', change.event, encodeEventRow(change.event)] as const)
      : 'patch' in change
        ? (['patch', change.of, Buffer.from(JSON.stringify(change.patch))] as const)
        : (['delete', change.deleted, Buffer.alloc(0)] as const);
  const record = encodeRecord({ kind, projectId: PROJECT, eventId: event.event_id, fresh: false, value });
  return { ...record, partition: 0, offset: at, appendedAt: 0 };
}

const stored = (event: Event) => store.find(PROJECT, event.event_id);

describe('the store reader', () => {
  it('stores new events as they came', async () => {
    const events = [eventOf(), eventOf()];
    await (
      await freshReader()
    )(events.map((event) => placed({ event })));
    expect(await stored(events[0]!)).toEqual(events[0]);
    expect(await stored(events[1]!)).toEqual(events[1]);
  });

  it('stores and merges events of the record version before', async () => {
    const events = [eventOf({ metadata: { text: 'é' } }), eventOf()];
    const [plain, updated] = events.map((event) => {
      const { headers, ...rest } = placed({ event });
      const columns = { attrs: {}, nums: {}, complete: true, run_id: '', datapoint_id: '' };
      return {
        ...rest,
        headers: { ...headers, v: '1' },
        value: Buffer.from(JSON.stringify({ ...event, ...columns })),
      };
    });
    const read = await freshReader();
    await read([plain!, updated!, placed({ patch: { metrics: { m: 1 } }, of: events[1]! })]);
    expect(await stored(events[0]!)).toEqual(events[0]);
    expect(await stored(events[1]!)).toEqual({ ...events[1], metrics: { m: 1 } });
  });

  it('merges what one batch says about one event', async () => {
    const event = eventOf({ metadata: { a: 1 } });
    const read = await freshReader();
    await read([
      placed({ event }),
      placed({ patch: { metadata: { b: 2 } }, of: event }),
      placed({ patch: { metrics: { m: 1 } }, of: event }),
    ]);
    expect(await stored(event)).toMatchObject({ metadata: { a: 1, b: 2 }, metrics: { m: 1 } });
  });

  it.each(['the same reader', 'a reader that just started'])(
    'applies a patch in a later batch: %s',
    async (who) => {
      const event = eventOf();
      const first = await freshReader();
      await first([placed({ event })]);
      const second = who === 'the same reader' ? first : await freshReader();
      await second([placed({ patch: { feedback: { rating: 4 } }, of: event })]);
      expect(await stored(event)).toMatchObject({ inputs: { n: 1 }, feedback: { rating: 4 } });
    },
  );

  it('keeps a patch until its event comes, also over a restart', async () => {
    const event = eventOf({ metadata: { by: 'create' } });
    await (
      await freshReader()
    )([placed({ patch: { metadata: { by: 'update' } }, of: event })]);
    expect(await stored(event)).toBeUndefined();
    await (
      await freshReader()
    )([placed({ event })]);
    expect(await stored(event)).toMatchObject({ metadata: { by: 'update' } });
  });

  it('never undoes an update when the create is sent again', async () => {
    const event = eventOf({ metadata: { by: 'create' } });
    const read = await freshReader();
    await read([placed({ event })]);
    await read([placed({ patch: { metadata: { by: 'update' } }, of: event })]);
    await (
      await freshReader()
    )([placed({ event })]);
    expect(await stored(event)).toMatchObject({ metadata: { by: 'update' } });
  });

  it('changes nothing when a batch is delivered again', async () => {
    const event = eventOf();
    const batch = [placed({ event }), placed({ patch: { metrics: { m: 1 } }, of: event })];
    const later = [placed({ patch: { metrics: { m: 2 } }, of: event })];
    await (
      await freshReader()
    )(batch);
    await (
      await freshReader()
    )(later);
    await (
      await freshReader()
    )(batch);
    await (
      await freshReader()
    )(later);
    expect(await stored(event)).toMatchObject({ metrics: { m: 2 } });
    const found = await store.search(PROJECT, {
      filters: [{ field: 'event_id', operator: 'is', type: 'string', value: event.event_id }],
      limit: 10,
      offset: 0,
      ordered: true,
    });
    expect(found.total).toBe(1);
  });

  it('keeps what is deleted deleted', async () => {
    const event = eventOf();
    await (
      await freshReader()
    )([placed({ event }), placed({ deleted: event })]);
    await (
      await freshReader()
    )([placed({ event }), placed({ patch: { metrics: { m: 1 } }, of: event })]);
    expect(await stored(event)).toBeUndefined();
  });

  it('moves a synthesised session to the start that a client sends, and shows it once', async () => {
    const session = { event_type: 'session', parent_id: null } as const;
    const made = eventOf({ ...session, origin: 'synthesised', event_name: 'unknown' });
    const id = { event_id: made.event_id, session_id: made.event_id };
    const sent = eventOf({ ...session, ...id, event_name: 'chat', start_time: 1_700_000_000_000 });
    await (
      await freshReader()
    )([placed({ event: { ...made, ...id } })]);
    await (
      await freshReader()
    )([placed({ event: sent })]);
    const found = await store.search(PROJECT, {
      filters: [{ field: 'session_id', operator: 'is', type: 'string', value: made.event_id }],
      limit: 10,
      offset: 0,
      ordered: true,
    });
    expect(found.events).toMatchObject([{ event_name: 'chat', start_time: 1_700_000_000_000 }]);
  });

  it('refuses a record of an unknown version, for it to be set aside', async () => {
    const record = placed({ event: eventOf() });
    await expect(
      (await freshReader())([{ ...record, headers: { ...record.headers, v: '99' } }]),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
