import { randomUUID } from 'node:crypto';
import { acceptEvent, type Event, type EventPatch } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventStore, StatesPort, WriterPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { encodeEventRow } from '@assay/event-rows';
import { aReaderOf, consumed, NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';
import { LogVersions } from '../shared/log-versions.js';
import { EventIdFilter } from './event-id-filter.js';

let store: EventStore;
let removeStore: () => Promise<void>;

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());

/** A reader that has just started: its caches are empty, its filter of event ids is loaded. */
async function freshReader() {
  const known = new EventIdFilter(1 << 24);
  await store.states.knownIds((ids) => ids.forEach((id) => known.add(id)));
  known.markComplete();
  return aReaderOf(store, known);
}

async function handle(batch: readonly ConsumedRecord[]): Promise<void> {
  const reader = await freshReader();
  await reader(batch);
}

function eventOf(fields: Partial<Event> = {}): Event {
  const { event } = acceptEvent(
    { event_type: 'model', inputs: { n: 1 }, start_time: NOW },
    { projectId: PROJECT, now: NOW, newId: randomUUID },
  );
  return { ...event, ...fields };
}

type Change = { event: Event } | { patch: EventPatch; of: Event } | { deleted: Event };

function recordOf(change: Change): ConsumedRecord {
  if ('event' in change) return consumed('event', change.event.event_id, encodeEventRow(change.event));
  if ('patch' in change)
    return consumed('patch', change.of.event_id, Buffer.from(JSON.stringify(change.patch)));
  return consumed('delete', change.deleted.event_id);
}

const stored = (event: Event) => store.events.find(PROJECT, event.event_id);

describe('an event that grows beyond the size limit', () => {
  const large = (name: 'inputs' | 'outputs' | 'config') => ({
    [name]: { text: 'x'.repeat(9 * 1024 * 1024) },
  });

  it('stays unchanged, its record is rejected, and small updates before and after it apply', async () => {
    const event = eventOf(large('inputs'));
    const records = [
      recordOf({ event }),
      recordOf({ patch: { metrics: { before: 1 } }, of: event }),
      recordOf({ patch: large('outputs'), of: event }),
      recordOf({ patch: { metrics: { after: 1 } }, of: event }),
    ];
    const rejected: [ConsumedRecord, string][] = [];
    const reject = (record: ConsumedRecord, errorClass: string) =>
      Promise.resolve(void rejected.push([record, errorClass]));
    for (const batches of [[records], records.map((one) => [one])])
      for (const batch of batches) await (await freshReader())(batch, reject);
    expect(rejected).toEqual([[records[2], 'EVENT_TOO_LARGE']]);
    const found = await stored(event);
    expect(found?.outputs).toEqual({});
    expect(found?.metrics).toEqual({ before: 1, after: 1 });
  });

  it('has its record rejected before the others are written, so that a crash in between loses none', async () => {
    const event = eventOf(large('inputs'));
    await handle([recordOf({ event })]);
    const batch = [
      recordOf({ patch: large('outputs'), of: event }),
      recordOf({ patch: { metrics: { n: 1 } }, of: event }),
    ];
    const reader = await freshReader();
    await expect(reader(batch, () => Promise.reject(new Error('crash')))).rejects.toThrow('crash');
    expect((await stored(event))?.metrics).toEqual({});
  });

  it('bounds the states that are loaded at a time', async () => {
    const events = Array.from({ length: 8 }, () => eventOf(large('inputs')));
    await handle(events.map((event) => recordOf({ event })));
    const loads: number[] = [];
    const counting: Parameters<typeof aReaderOf>[0] = {
      writer: portWith<WriterPort>({}, store.writer),
      states: portWith<StatesPort>(
        {
          read: (keys) => {
            loads.push(keys.length);
            return store.states.read(keys);
          },
        },
        store.states,
      ),
    };
    const known = new EventIdFilter(1 << 24);
    const updates = events.map((event) => recordOf({ patch: { config: { n: 1 } }, of: event }));
    await aReaderOf(counting, known)(updates);
    expect(loads).toEqual(Array(events.length).fill(1));
    for (const event of events) expect((await stored(event))?.config).toEqual({ n: 1 });
  });
});

describe('a replayed dead letter of the store group', () => {
  /** The record as it is read after a replay. */
  const replayed = ({ partition, offset, ...lost }: ConsumedRecord): ConsumedRecord => {
    const origin = JSON.stringify({ group: 'store', partition, offset, epoch: 0 });
    const { offset: next } = consumed('delete', lost.key);
    return { ...lost, partition, offset: next, headers: { ...lost.headers, 'assay.replay': origin } };
  };

  it('does not undo newer updates, also when it is delivered twice', async () => {
    const event = eventOf();
    const lost = recordOf({ patch: { metrics: { a: 1, b: 1 } }, of: event });
    await handle([recordOf({ event }), recordOf({ patch: { metrics: { a: 2 } }, of: event })]);
    const again = replayed(lost);
    for (let delivery = 0; delivery < 2; delivery++) {
      await handle([again]);
      expect((await stored(event))?.metrics).toEqual({ a: 2, b: 1 });
    }
  });

  it('does not undo newer updates after the log was replaced, whose offsets start again', async () => {
    const event = eventOf();
    const lost = recordOf({ patch: { metrics: { a: 1, b: 1 } }, of: event });
    await handle([recordOf({ event }), recordOf({ patch: { metrics: { a: 2 } }, of: event })]);
    const inNextEpoch = new LogVersions([{ epoch: 1, first: new Map() }]);
    await aReaderOf(store, undefined, inNextEpoch)([{ ...replayed(lost), offset: 0 }]);
    expect((await stored(event))?.metrics).toEqual({ a: 2, b: 1 });
  });

  it('creates an event whose updates have been stored without undoing them', async () => {
    const event = eventOf();
    const create = recordOf({ event });
    const lost = { ...create, headers: { ...create.headers, fresh: '1' } };
    await handle([recordOf({ patch: { metrics: { a: 2 } }, of: event })]);
    await handle([replayed(lost)]);
    expect(await stored(event)).toMatchObject({ inputs: event.inputs, metrics: { a: 2 } });
  });

  it('keeps the order of several updates', async () => {
    const event = eventOf();
    const lost = [1, 2].map((a) => recordOf({ patch: { metrics: { a } }, of: event }));
    await handle([recordOf({ event }), ...lost.map(replayed)]);
    expect((await stored(event))?.metrics).toEqual({ a: 2 });
  });
});

describe('makeStoreBatch', () => {
  it('stores new events unchanged', async () => {
    const events = [eventOf(), eventOf()];
    await handle(events.map((event) => recordOf({ event })));
    expect(await stored(events[0]!)).toEqual(events[0]);
    expect(await stored(events[1]!)).toEqual(events[1]);
  });

  it('stores and merges events of the previous record version', async () => {
    const events = [eventOf({ metadata: { text: 'é' } }), eventOf()];
    const [plain, updated] = events.map((event) => {
      const { headers, ...rest } = recordOf({ event });
      const columns = { attrs: {}, nums: {}, complete: true, run_id: '', datapoint_id: '' };
      return {
        ...rest,
        headers: { ...headers, v: '1' },
        value: Buffer.from(JSON.stringify({ ...event, ...columns })),
      };
    });
    const read = await freshReader();
    await read([plain!, updated!, recordOf({ patch: { metrics: { m: 1 } }, of: events[1]! })]);
    expect(await stored(events[0]!)).toEqual(events[0]);
    expect(await stored(events[1]!)).toEqual({ ...events[1], metrics: { m: 1 } });
  });

  it('merges all records of an event in one batch', async () => {
    const event = eventOf({ metadata: { a: 1 } });
    const read = await freshReader();
    await read([
      recordOf({ event }),
      recordOf({ patch: { metadata: { b: 2 } }, of: event }),
      recordOf({ patch: { metrics: { m: 1 } }, of: event }),
    ]);
    expect(await stored(event)).toMatchObject({ metadata: { a: 1, b: 2 }, metrics: { m: 1 } });
  });

  it.each(['the same reader', 'a reader that just started'])(
    'applies a patch in a later batch: %s',
    async (who) => {
      const event = eventOf();
      const first = await freshReader();
      await first([recordOf({ event })]);
      const second = who === 'the same reader' ? first : await freshReader();
      await second([recordOf({ patch: { feedback: { rating: 4 } }, of: event })]);
      expect(await stored(event)).toMatchObject({ inputs: { n: 1 }, feedback: { rating: 4 } });
    },
  );

  it('keeps a patch until its event arrives, across a restart', async () => {
    const event = eventOf({ metadata: { by: 'create' } });
    await handle([recordOf({ patch: { metadata: { by: 'update' } }, of: event })]);
    expect(await stored(event)).toBeUndefined();
    await handle([recordOf({ event })]);
    expect(await stored(event)).toMatchObject({ metadata: { by: 'update' } });
  });

  it('does not overwrite an update when the create is sent again', async () => {
    const event = eventOf({ metadata: { by: 'create' } });
    const read = await freshReader();
    await read([recordOf({ event })]);
    await read([recordOf({ patch: { metadata: { by: 'update' } }, of: event })]);
    await handle([recordOf({ event })]);
    expect(await stored(event)).toMatchObject({ metadata: { by: 'update' } });
  });

  it('changes nothing when a batch is redelivered', async () => {
    const event = eventOf();
    const batch = [recordOf({ event }), recordOf({ patch: { metrics: { m: 1 } }, of: event })];
    const later = [recordOf({ patch: { metrics: { m: 2 } }, of: event })];
    await handle(batch);
    await handle(later);
    await handle(batch);
    await handle(later);
    expect(await stored(event)).toMatchObject({ metrics: { m: 2 } });
    const found = await store.events.search(PROJECT, {
      filters: [{ field: 'event_id', operator: 'is', type: 'string', value: event.event_id }],
      limit: 10,
      offset: 0,
      ordered: true,
    });
    expect(found.total).toBe(1);
  });

  it('keeps a deleted event deleted', async () => {
    const event = eventOf();
    await handle([recordOf({ event }), recordOf({ deleted: event })]);
    await handle([recordOf({ event }), recordOf({ patch: { metrics: { m: 1 } }, of: event })]);
    expect(await stored(event)).toBeUndefined();
  });

  it('relocates a synthesised session to the start time that a client sends, and shows it once', async () => {
    const session = { event_type: 'session', parent_id: null } as const;
    const made = eventOf({ ...session, origin: 'synthesised', event_name: 'unknown' });
    const id = { event_id: made.event_id, session_id: made.event_id };
    const sent = eventOf({ ...session, ...id, event_name: 'chat', start_time: 1_700_000_000_000 });
    await handle([recordOf({ event: { ...made, ...id } })]);
    await handle([recordOf({ event: sent })]);
    const found = await store.events.search(PROJECT, {
      filters: [{ field: 'session_id', operator: 'is', type: 'string', value: made.event_id }],
      limit: 10,
      offset: 0,
      ordered: true,
    });
    expect(found.events).toMatchObject([{ event_name: 'chat', start_time: 1_700_000_000_000 }]);
  });

  it('rejects a record of an unknown version with a permanent error', async () => {
    const record = recordOf({ event: eventOf() });
    await expect(
      (await freshReader())([{ ...record, headers: { ...record.headers, v: '99' } }]),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
