import { randomUUID } from 'node:crypto';
import { acceptEvent, foldState, type Event, type EventPatch, type StoredState } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventStore, StatesPort, StoreBatch, WriterPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { encodeEventRow } from '@assay/event-rows';
import {
  aReaderOf,
  consumed,
  FIRST_EPOCH,
  NOW,
  openTestStore,
  PROJECT,
} from '../../test/store-batch-fixture.js';
import { EventIdFilter } from './event-id-filter.js';
import { MAX_MERGED_BYTES } from './size-limit.js';

let store: EventStore;
let removeStore: () => Promise<void>;
let written: StoreBatch[] = [];

beforeAll(async () => {
  ({ store, remove: removeStore } = await openTestStore());
});
afterAll(() => removeStore());
beforeEach(() => (written = []));

/** A reader in a process of its own. */
function aReader() {
  const observed: Parameters<typeof aReaderOf>[0] = {
    states: portWith<StatesPort>({}, store.states),
    writer: portWith<WriterPort>(
      {
        write: (batch) => {
          written.push(batch);
          return store.writer.write(batch);
        },
      },
      store.writer,
    ),
  };
  return aReaderOf(observed, new EventIdFilter(1 << 24), FIRST_EPOCH);
}

function eventOf(fields: Partial<Event> = {}): Event {
  const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
  const { event } = acceptEvent({ event_type: 'model', start_time: NOW }, context);
  return { ...event, inputs: { text: 'i'.repeat(20_000) }, config: { model: 'm' }, ...fields };
}

const created = (event: Event) => consumed('event', event.event_id, Buffer.from(encodeEventRow(event)));
const patched = ({ event_id }: Event, patch: EventPatch) =>
  consumed('patch', event_id, Buffer.from(JSON.stringify(patch)));
const stored = ({ event_id }: Event) => store.events.find(PROJECT, event_id);
const rowBytes = () => written.flatMap(({ rows }) => rows.map(({ bytes }) => bytes.length));

describe('an update that leaves the payload unchanged', () => {
  it.each(['in the cache', 'in the store'])('writes no payload, for an event %s', async (where) => {
    const event = eventOf();
    const first = aReader();
    await first([created(event)]);
    written = [];
    let read = first;
    for (let score = 1; score <= 3; score++) {
      if (where === 'in the store') read = aReader();
      await read([patched(event, { metrics: { [`m${score}`]: score }, end_time: NOW + score })]);
    }
    expect(rowBytes().every((bytes) => bytes < 1_000)).toBe(true);
    const metrics = { m1: 1, m2: 2, m3: 3 };
    expect(await stored(event)).toEqual({ ...event, metrics, end_time: NOW + 3 });
    await read([patched(event, { outputs: { answer: 'a' }, config: { temperature: 1 } })]);
    await read([patched(event, { feedback: { rating: 5 } })]);
    expect(rowBytes().map((bytes) => bytes > 20_000)).toEqual([false, false, false, true, false]);
    expect(await stored(event)).toEqual({
      ...event,
      metrics,
      end_time: NOW + 3,
      outputs: { answer: 'a' },
      config: { model: 'm', temperature: 1 },
      feedback: { rating: 5 },
    });
    await read([consumed('delete', event.event_id)]);
    expect(await stored(event)).toBeUndefined();
  });

  it('is merged with the others of its batch, and all are written once', async () => {
    const events = [eventOf(), eventOf()];
    await aReader()(events.map(created));
    written = [];
    await aReader()(
      Array.from({ length: 20 }, (_, n) =>
        events.map((event) => patched(event, { metrics: { [`m${n}`]: n } })),
      ).flat(),
    );
    expect(written.map(({ rows, changes }) => [rows.length, changes.length])).toEqual([[2, 2]]);
    for (const event of events) expect(Object.keys((await stored(event))?.metrics ?? {})).toHaveLength(20);
  });

  it('is rejected exactly when the event would be larger than the limit', async () => {
    const outputs = { text: 'é'.repeat(MAX_MERGED_BYTES / 2 - 20_000) };
    const event = eventOf({ inputs: {}, outputs });
    const room = MAX_MERGED_BYTES - Buffer.byteLength(JSON.stringify({ ...event, metadata: { a: '' } }));
    for (const [length, rejections] of [
      [room + 1, 1],
      [room, 0],
    ] as const) {
      const own = eventOf({ ...event, event_id: randomUUID() });
      await aReader()([created(own)]);
      written = [];
      const rejected: ConsumedRecord[] = [];
      await aReader()([patched(own, { metadata: { a: 'x'.repeat(length) } })], (record) => {
        rejected.push(record);
        return Promise.resolve();
      });
      expect({ length, rejected: rejected.length }).toEqual({ length, rejected: rejections });
      const found = await stored(own);
      expect(Buffer.byteLength(JSON.stringify(found))).toBe(
        rejections === 1 ? Buffer.byteLength(JSON.stringify(own)) : MAX_MERGED_BYTES,
      );
    }
  });

  it('gives the same event as applying every record to the whole state, in whatever batches', async () => {
    const seed = Date.now() % 2 ** 31;
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const event = eventOf({ inputs: { text: 'i' } });
    const patches: readonly (() => EventPatch)[] = [
      () => ({ metrics: { [`m${random(3)}`]: random(9) } }),
      () => ({ metadata: { [`k${random(3)}`]: 'x'.repeat(random(400)) }, duration: random(9) }),
      () => ({ outputs: { o: random(9) } }),
      () => ({ config: { [`c${random(3)}`]: random(9) } }),
    ];
    const history = [created(event)];
    for (let n = 0; n < 20; n++)
      history.push(random(9) === 0 ? created(event) : patched(event, patches[random(4)]?.() ?? {}));
    let model: StoredState = {};
    let read = aReader();
    for (let from = 0; from < history.length;) {
      const to = from + 1 + random(3);
      if (random(2) === 0) read = aReader();
      // A batch can come again with other neighbours, to a reader that has just started.
      if (random(4) === 0) await aReader()(history.slice(Math.max(0, from - 3), from));
      await read(history.slice(from, to));
      from = to;
    }
    const records = history.map(({ headers, value, offset: version }) =>
      headers['kind'] === 'event'
        ? ({ kind: 'event', event, version } as const)
        : ({ kind: 'patch', patch: JSON.parse(value.toString()) as EventPatch, version } as const),
    );
    model = foldState(model, records) as StoredState;
    const { version: _version, ...expected } = { version: 0, ...model.event };
    expect({ seed, found: await stored(event) }).toEqual({ seed, found: expected });
    expect(await store.administration.rowsWithoutPayload(10)).toEqual([]);
  });
});
