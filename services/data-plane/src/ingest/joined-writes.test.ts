import { randomUUID } from 'node:crypto';
import { acceptEvent } from '@assay/domain';
import { unavailable, validationError } from '@assay/errors';
import type { StoreBatch } from '@assay/event-store';
import { encodeEventRow } from '@assay/event-rows';
import { NOW, openTestStore, PROJECT } from '../../test/store-batch-fixture.js';
import { JoinedWrites, type JoinedWritesOptions } from './joined-writes.js';

const NEVER_AGAIN_MS = 1e9;

function newEvent() {
  return acceptEvent(
    { event_type: 'tool', event_name: 'joined', start_time: NOW },
    { projectId: PROJECT, now: NOW, newId: randomUUID },
  ).event;
}

const batchOf = (token: string, bytes: readonly Buffer[] = [Buffer.from(token)]): StoreBatch => ({
  ...{ rows: bytes.map((row, index) => ({ bytes: row, version: index + 1 })), tombstones: [], changes: [] },
  token,
});

/** Records what reaches the store. */
function recorded(options: Partial<JoinedWritesOptions> = {}) {
  const written: string[][] = [];
  const joined = new JoinedWrites({
    write: (batch) => {
      written.push(batch.rows.map(({ bytes }) => bytes.toString()));
      return Promise.resolve();
    },
    intervalMs: () => NEVER_AGAIN_MS,
    ...options,
  });
  return { written, joined };
}

const tick = () => new Promise((resume) => setImmediate(resume));

describe('writes of several partitions', () => {
  it('are one write when their batches are prepared together', async () => {
    const { written, joined } = recorded();
    const names = ['a', 'b', 'c'];
    await Promise.all(
      names.map((name) => joined.during(() => tick().then(() => joined.write(batchOf(name))))),
    );
    expect(written).toEqual([names]);
  });

  it('begin immediately after a pause, then wait for the interval, which a waiting client ends', async () => {
    const { written, joined } = recorded();
    await joined.write(batchOf('first'));
    const later = [joined.write(batchOf('second')), joined.write(batchOf('third'))];
    await tick();
    expect(written).toEqual([['first']]);
    joined.flush();
    await Promise.all(later);
    expect(written).toEqual([['first'], ['second', 'third']]);
  });

  it('do not wait for a batch whose preparation takes long', async () => {
    const { written, joined } = recorded();
    let prepared: () => void = () => undefined;
    const slow = joined.during(() => new Promise<void>((resolve) => (prepared = resolve)));
    await joined.during(() => joined.write(batchOf('quick')));
    expect(written).toEqual([['quick']]);
    prepared();
    await slow;
  });

  it('do not wait for the interval when they are large, and stay below the limits of a batch', async () => {
    const { written, joined } = recorded();
    await joined.write(batchOf('first'));
    const rows = (name: string) => Array.from({ length: 3_000 }, () => Buffer.from(name));
    const writes = ['a', 'b'].map((name) => joined.write(batchOf(name, rows(name))));
    await writes[0];
    expect(written.map((names) => [...new Set(names)])).toEqual([['first'], ['a']]);
    joined.flush();
    await Promise.all(writes);
    expect(written.map(({ length }) => length)).toEqual([1, 3_000, 3_000]);
  });

  it('fail alone when the store rejects one of them, and together when it is unreachable', async () => {
    const tried: string[][] = [];
    let isReachable = true;
    const write = (batch: StoreBatch) => {
      const names = batch.rows.map(({ bytes }) => bytes.toString());
      tried.push(names);
      if (!isReachable) return Promise.reject(unavailable('unreachable'));
      return names.includes('bad') ? Promise.reject(validationError('bad')) : Promise.resolve();
    };
    const { joined } = recorded({ write, intervalMs: () => 0 });
    const all = () =>
      Promise.allSettled(
        ['good', 'bad', 'fine'].map((name) =>
          joined.during(() => tick().then(() => joined.write(batchOf(name)))),
        ),
      ).then((outcomes) => outcomes.map(({ status }) => status));
    expect(await all()).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(tried).toEqual([['good', 'bad', 'fine'], ['good'], ['bad'], ['fine']]);
    isReachable = false;
    expect(await all()).toEqual(['rejected', 'rejected', 'rejected']);
    expect(tried).toHaveLength(5);
  });

  it('are found in the store, and change nothing when one of them is delivered again alone', async () => {
    const { store, remove } = await openTestStore();
    try {
      const joined = new JoinedWrites({ write: (batch) => store.writer.write(batch), intervalMs: () => 0 });
      const events = [newEvent(), newEvent()];
      const batches = events.map((event) => batchOf(event.event_id, [encodeEventRow(event)]));
      await Promise.all(batches.map((batch) => joined.during(() => tick().then(() => joined.write(batch)))));
      await joined.write(batches[1]!);
      for (const event of events)
        expect(await store.events.find(PROJECT, event.event_id)).toMatchObject(event);
    } finally {
      await remove();
    }
  });
});
