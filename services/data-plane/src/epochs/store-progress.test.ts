import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConsumedRecord } from '@assay/event-log';
import type { EventStore, WriterPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { silentLogger, waitFor } from '@assay/testing';
import { epochOf, offsets } from '../../test/log-epochs.js';
import { StoreProgress } from './store-progress.js';

const LOG = 'c/t/1';

describe('the progress of the event store', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-progress-'));
  const opened: EventStore[] = [];
  const replaced: string[] = [];
  let store: EventStore;
  let identity = LOG;

  const openEmpty = async () => {
    const empty = createChdbEventStore({ dir, database: `progress_${opened.length}` });
    opened.push(empty);
    await empty.administration.migrate();
    return empty;
  };
  beforeEach(async () => {
    identity = LOG;
    replaced.length = 0;
    store = await openEmpty();
    await store.writer.recordLogEpoch(epochOf(1, LOG, [5, 3], [0, 0]));
  });
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.administration.close()));
    rmSync(dir, { recursive: true, force: true });
  });

  const start = (intervalMs = 5) =>
    new StoreProgress({
      log: { identity: () => Promise.resolve(identity), position: () => Promise.resolve(offsets(10, 10)) },
      // The store of this moment, so that a test can replace it.
      store: {
        writer: portWith<WriterPort>({
          logEpochs: () => store.writer.logEpochs(),
          recordLogEpoch: (epoch) => store.writer.recordLogEpoch(epoch),
        }),
      },
      logger: silentLogger,
      entry: epochOf(1, LOG, [5, 3], [0, 0]),
      onReplaced: ({ message }) => void replaced.push(message),
      intervalMs,
    });
  const recorded = async () => (await store.writer.logEpochs()).at(-1);

  it('starts at the recorded positions', async () => {
    expect(await start().startAt([0, 1])).toEqual(offsets(3, 0));
    expect(await start().startAt([1])).toEqual(new Map([[1, 0]]));
  });

  it('is recorded after a batch was stored, without a further call', async () => {
    const progress = start();
    await progress.startAt([0, 1]);
    progress.stored(batchOf(0, 8));
    progress.stored(batchOf(0, 9));
    progress.stored(batchOf(1, 0));
    await waitFor(
      'the position is recorded',
      async () => (await recorded())?.partitions.get(1)?.position === 1,
    );
    expect(await recorded()).toEqual(epochOf(1, LOG, [5, 10], [0, 1]));
    await progress.stop();
  });

  it('is recorded when the reader stops, and at most once per interval before', async () => {
    const progress = start(3_600_000);
    await progress.startAt([0, 1]);
    for (let offset = 3; offset < 40; offset += 1) progress.stored(batchOf(0, offset));
    expect(await recorded()).toEqual(epochOf(1, LOG, [5, 3], [0, 0]));
    await progress.stop();
    expect(await recorded()).toEqual(epochOf(1, LOG, [5, 40], [0, 0]));
  });

  it('ends the process when the log was recreated, has more partitions, or has a newer epoch', async () => {
    identity = 'c/t/2';
    await expect(start().startAt([0])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    identity = LOG;
    await expect(start().startAt([0, 2])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await store.writer.recordLogEpoch(epochOf(2, LOG, [0, 0]));
    await expect(start().startAt([0])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(replaced).toEqual([
      'the event log was recreated',
      'the event log has more partitions than before',
      'another process has recorded a new epoch of the event log',
    ]);
  });

  it('is not recorded in a store that lost its rows; the process ends and the epoch is kept', async () => {
    const progress = start(3_600_000);
    await progress.startAt([0, 1]);
    progress.stored(batchOf(0, 8));
    store = await openEmpty();
    await progress.stop();
    expect(replaced).toEqual(['the event store was replaced while it was in use']);
    expect(await recorded()).toEqual(epochOf(1, LOG, [5, 0], [0, 0]));
  });

  it('forgets positions that were not recorded when partitions are assigned again', async () => {
    const progress = start(3_600_000);
    await progress.startAt([0, 1]);
    progress.stored(batchOf(0, 8));
    store = await openEmpty();
    expect(await progress.startAt([0, 1])).toEqual(offsets(0, 0));
    await progress.stop();
    expect(await recorded()).toEqual(epochOf(1, LOG, [5, 0], [0, 0]));
    expect(replaced).toEqual([]);
  });
});

function batchOf(partition: number, offset: number): ConsumedRecord[] {
  return [{ key: 'k', value: Buffer.alloc(0), headers: {}, partition, offset, appendedAt: 0 }];
}
