import { randomUUID } from 'node:crypto';
import { acceptEvent } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import type { EventStore, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { silentLogger } from '@assay/testing';
import { openTestStore, PROJECT } from '../../test/store-batch-fixture.js';
import { makeEventIdFilterLoader } from './event-id-filter-loader.js';
import { EventIdFilter } from './event-id-filter.js';

describe('the loader of the filter of event ids', () => {
  let store: EventStore;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ store, remove } = await openTestStore());
  });
  afterAll(() => remove());

  async function write(): Promise<string> {
    const { event } = acceptEvent(
      { event_type: 'model', start_time: Date.now() },
      { projectId: PROJECT, now: Date.now(), newId: randomUUID },
    );
    const rows = [{ bytes: Buffer.from(encodeEventRow(event)), version: 1 }];
    await store.writer.write({ rows, tombstones: [], changes: [], token: event.event_id });
    return event.event_id;
  }

  it.each([true, false])('reads all ids first, then those stored since (alone: %p)', async (isExclusive) => {
    const known = new EventIdFilter(1 << 24);
    const asked: (number | undefined)[] = [];
    const knownIds: StatesPort['knownIds'] = (onPage, since) => {
      asked.push(since);
      return store.states.knownIds(onPage, since);
    };
    const states = portWith<StatesPort>({ knownIds }, store.states);
    const loader = makeEventIdFilterLoader({
      store: { states, writer: store.writer },
      known,
      isExclusive,
      logger: silentLogger,
      retryAfterMs: 60_000,
    });
    const first = await write();
    const before = Date.now() / 1_000;
    await loader.load();
    const after = Date.now() / 1_000;
    expect([first, randomUUID()].map((id) => known.mayContain(id))).toEqual([true, false]);
    const second = await write();
    await loader.load();
    expect([first, second, randomUUID()].map((id) => known.mayContain(id))).toEqual([true, true, false]);
    expect(asked[0]).toBeUndefined();
    // Clocks of two processes can differ by ten minutes.
    expect(asked[1]! + 600).toBeGreaterThanOrEqual(before);
    expect(asked[1]! + 600).toBeLessThanOrEqual(after);
    loader.stop();
  });
});
