import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import type { EventStore, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { silentLogger } from '@assay/testing';
import { openTestStore, PROJECT } from '../../test/store-batch-fixture.js';
import { EventIdFilterLoader } from './event-id-filter-loader.js';
import { EventIdFilter } from './event-id-filter.js';
import { KnownIdsFile } from './known-ids-file.js';

interface LoaderOptions {
  readonly isExclusive?: boolean;
  readonly file?: KnownIdsFile;
  readonly keptEvery?: number;
  /** Stands for the memory of the filter, which is that of a million ids at least. */
  readonly limit?: { atMost?: number };
}

describe('the loader of the filter of event ids', () => {
  let store: EventStore;
  let remove: () => Promise<void>;
  const dir = mkdtempSync(join(tmpdir(), 'assay-known-ids-'));
  beforeAll(async () => {
    ({ store, remove } = await openTestStore());
  });
  afterAll(async () => {
    await remove();
    rmSync(dir, { recursive: true, force: true });
  });

  async function write(): Promise<string> {
    const { event } = acceptEvent(
      { event_type: 'model', start_time: Date.now() },
      { projectId: PROJECT, now: Date.now(), newId: randomUUID },
    );
    const rows = [{ bytes: Buffer.from(encodeEventRow(event)), version: 1 }];
    await store.writer.write({ rows, tombstones: [], changes: [], token: event.event_id });
    return event.event_id;
  }

  /** A loader of a filter of its own, with the points in time since which it reads. */
  function aLoader({ isExclusive = true, file, keptEvery = 1_000, limit }: LoaderOptions) {
    const known = new EventIdFilter(1 << 24);
    const asked: (number | undefined)[] = [];
    const knownIds: StatesPort['knownIds'] = (onPage, wanted = {}) => {
      asked.push(wanted.since);
      return store.states.knownIds(onPage, { ...wanted, ...limit });
    };
    const states = portWith<StatesPort>({ knownIds }, store.states);
    const loader = new EventIdFilterLoader({
      store: { states, writer: store.writer },
      ...{ known, isExclusive, file, keptEvery },
      logger: silentLogger,
      retryAfterMs: 60_000,
    });
    const has = (ids: readonly string[]) => ids.map((id) => known.mayContain(id));
    return { loader, known, asked, has };
  }

  it.each([true, false])('reads all ids first, then those stored since (alone: %p)', async (isExclusive) => {
    const { loader, asked, has } = aLoader({ isExclusive });
    const first = await write();
    const before = Date.now() / 1_000;
    const loading = loader.load();
    // Partitions that are assigned meanwhile.
    await loader.load();
    expect(has([randomUUID()])).toEqual([true]);
    await loading;
    const after = Date.now() / 1_000;
    expect(has([first, randomUUID()])).toEqual([true, false]);
    const second = await write();
    await loader.load();
    expect(has([first, second, randomUUID()])).toEqual([true, true, false]);
    expect([asked.length, asked[0]]).toEqual([3, undefined]);
    // Clocks of two processes can differ by ten minutes.
    expect(asked[1]! + 600).toBeGreaterThanOrEqual(before);
    expect(asked[2]! + 600).toBeGreaterThanOrEqual(asked[1]! + 600);
    expect(asked[2]! + 600).toBeLessThanOrEqual(after);
    loader.stop();
  });

  it('reads what was stored since the file was written, also after a kill', async () => {
    const file = new KnownIdsFile(join(dir, 'known-ids'), silentLogger);
    const start = async () => {
      const process = aLoader({ file });
      await process.loader.restore();
      await process.loader.load();
      return process;
    };
    const first = await start();
    const before = await write();
    await first.loader.load();
    first.loader.stop();
    await first.loader.keep();
    await first.loader.keep();
    const second = await start();
    const after = await write();
    // It is killed.
    const third = await start();
    expect([first, second, third].map(({ asked: [since] }) => since === undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect(third.has([before, after, randomUUID()])).toEqual([true, true, false]);
  });

  it('writes the file when many ids were added, and when the clock was set back', async () => {
    const path = join(dir, 'kept-ids');
    const file = new KnownIdsFile(path, silentLogger);
    const { loader, known } = aLoader({ file, keptEvery: 3 });
    const kept = async () => {
      loader.stored();
      await loader.settled();
      return file.read(1 << 24, Infinity);
    };
    await loader.load();
    await loader.settled();
    rmSync(path, { force: true });
    for (const id of [randomUUID(), randomUUID()]) known.add(id);
    expect(await kept()).toBeUndefined();
    known.add(randomUUID());
    const first = (await kept())!.at;
    known.add(randomUUID());
    expect((await kept())!.at).toBe(first);
    const now = jest.spyOn(Date, 'now').mockReturnValue((first - 100) * 1_000);
    try {
      expect((await kept())!.at).toBe(first - 100);
    } finally {
      now.mockRestore();
    }
  });

  it('reads no ids while there are more than the filter has memory for', async () => {
    const limit: { atMost?: number } = { atMost: 1 };
    const { loader, known, asked, has } = aLoader({ limit });
    const first = [await write(), await write()];
    await loader.load();
    known.add(first[0]!);
    expect(has([...first, randomUUID()])).toEqual([true, true, true]);
    expect(known.content().map(({ count }) => count)).toEqual([0]);
    // Projects were removed, and partitions are assigned.
    delete limit.atMost;
    await loader.load();
    expect(asked).toEqual([undefined, undefined]);
    expect(has([...first, randomUUID()])).toEqual([true, true, false]);
    loader.stop();
  });

  it('keeps nothing of a process that ended before it had all ids', async () => {
    const file = new KnownIdsFile(join(dir, 'no-ids'), silentLogger);
    const { loader } = aLoader({ file });
    loader.stop();
    await loader.keep();
    expect(existsSync(join(dir, 'no-ids'))).toBe(false);
  });
});
