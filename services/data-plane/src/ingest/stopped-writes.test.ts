import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent, foldState, type Event, type EventPatch, type FoldRecord } from '@assay/domain';
import type { ConsumedRecord } from '@assay/event-log';
import { encodeEventRow } from '@assay/event-rows';
import { openStoppingStore, type StoppingStore } from '@assay/event-store/test/stopped-writes';
import { aReaderOf, consumed, NOW, PROJECT } from '../../test/store-batch-fixture.js';

const HOUR = 3_600_000;
const STOPS = 50;
/** Attempts to write a batch, of which more than a third are stopped. */
const MAX_ATTEMPTS = 600;
const EVENTS = 12;
const ALL = { filters: [], limit: 100, offset: 0, ordered: true };

let stopping: StoppingStore;
const dir = mkdtempSync(join(tmpdir(), 'assay-stopped-writes-'));

beforeAll(async () => {
  stopping = await openStoppingStore(dir);
});
afterAll(async () => {
  await stopping.store.administration.close();
  rmSync(dir, { recursive: true, force: true });
});

it(`a reader killed between two inserts of a batch leaves no event without its payload and loses none, ${STOPS} times`, async () => {
  const seed = Date.now() % 2 ** 31;
  const random = randomFrom(seed);
  const { store, stopAfter, hasStopped } = stopping;
  const events = Array.from({ length: EVENTS }, (_, index) => new ChangingEvent(random, index));
  let batch: ConsumedRecord[] = [];
  let [attempts, stops] = [0, 0];
  let read = aReaderOf(store);
  while (stops < STOPS && attempts < MAX_ATTEMPTS) {
    attempts += 1;
    // After a stop the same records come again, with others.
    for (let more = random(5) + 1; more > 0; more--) {
      const record = events[random(EVENTS)]?.change();
      if (record) batch.push(record);
    }
    stopAfter(random(5));
    await read(batch).catch(() => undefined);
    const isStopped = hasStopped();
    stopAfter(Infinity);
    const page = await store.events.search(PROJECT, ALL);
    expect({ seed, attempts, found: page.events.length }).toEqual({ seed, attempts, found: page.total });
    const withoutPayload = await store.administration.rowsWithoutPayload(10);
    expect({ seed, attempts, withoutPayload }).toEqual({ seed, attempts, withoutPayload: [] });
    if (!isStopped) batch = [];
    else {
      stops += 1;
      read = aReaderOf(store);
      if (random(3) === 0) await store.administration.repair();
    }
  }
  await aReaderOf(store)(batch);
  expect({ seed, stops }).toEqual({ seed, stops: STOPS });
  for (const event of events)
    expect({ seed, found: await store.events.find(PROJECT, event.id) }).toEqual({
      seed,
      found: event.expected(),
    });
});

type WithoutVersion<Record> = Record extends unknown ? Omit<Record, 'version'> : never;

/** An event with the records of what happened to it. */
class ChangingEvent {
  readonly #event: Event;
  readonly #records: FoldRecord[] = [];
  readonly #random: (below: number) => number;

  constructor(random: (below: number) => number, index: number) {
    const context = { projectId: PROJECT, now: NOW, newId: randomUUID };
    const input = {
      event_type: 'model',
      event_name: `event ${index}`,
      start_time: NOW,
      inputs: { text: 'i' },
    } as const;
    this.#event = acceptEvent(input, context).event;
    this.#random = random;
  }

  get id(): string {
    return this.#event.event_id;
  }

  /** The next record of the log: a create, sometimes with another start and so another sort key, an update, or a delete. */
  change(): ConsumedRecord {
    const random = this.#random;
    const kind = this.#records.length === 0 ? 0 : random(12);
    if (kind <= 1) return this.#create({ ...this.#event, start_time: NOW - random(3) * HOUR });
    if (kind === 11 && random(4) === 0) return this.#add({ kind: 'delete' }, consumed('delete', this.id));
    const value = random(9);
    const patches: readonly EventPatch[] = [
      { metrics: { [`m${random(3)}`]: value } },
      { metadata: { [`k${random(3)}`]: value }, duration: value },
      { outputs: { o: value } },
      { config: { [`c${random(3)}`]: value } },
    ];
    const patch = patches[random(4)] ?? {};
    return this.#add(
      { kind: 'patch', patch },
      consumed('patch', this.id, Buffer.from(JSON.stringify(patch))),
    );
  }

  /** The event after all records were applied once. */
  expected(): Event | undefined {
    return foldState({}, this.#records).event;
  }

  #create(event: Event): ConsumedRecord {
    return this.#add(
      { kind: 'event', event },
      consumed('event', this.id, Buffer.from(encodeEventRow(event))),
    );
  }

  #add(change: WithoutVersion<FoldRecord>, record: ConsumedRecord): ConsumedRecord {
    this.#records.push({ ...change, version: record.offset });
    return record;
  }
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
