import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { StartError, type LogFields, type Logger } from '@assay/runtime';
import { epochOf, offsets } from '../../test/log-epochs.js';
import { agreeOnEpoch, type AgreeOnEpochOptions } from './agree-on-epoch.js';

describe('agreeing on the epoch of a log', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-epochs-'));
  const lines: { readonly phrase: string; readonly fields?: LogFields }[] = [];
  const write = (phrase: string, fields?: LogFields) => void lines.push({ phrase, fields });
  const logger: Logger = { error: write, warn: write, info: write, debug: write };
  let store: EventStore;
  let databases = 0;

  beforeEach(async () => {
    lines.length = 0;
    store = createChdbEventStore({ dir, database: `epochs_${databases++}` });
    await store.administration.migrate();
  });
  afterEach(() => store.administration.close());
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const agree = (identity: string, ends: number[], others: Partial<AgreeOnEpochOptions> = {}) =>
    agreeOnEpoch({ log: logOf(identity, ends), store, logger, isExclusive: false, ...others });

  it('records the first epoch and keeps it', async () => {
    const first = await agree('c/t/1', [4, 0]);
    expect(first.entry).toEqual(epochOf(0, 'c/t/1', [0, 0], [0, 0]));
    expect(first.versions.versionOf({ partition: 0, offset: 3 })).toBe(3);
    await store.writer.recordLogEpoch(epochOf(0, 'c/t/1', [0, 4]));
    expect((await agree('c/t/1', [4, 0])).entry).toEqual(epochOf(0, 'c/t/1', [0, 4], [0, 0]));
    expect(lines).toEqual([]);
  });

  it('gives the records of a recreated log higher versions than all stored ones', async () => {
    await agree('c/t/1', [0]);
    await store.writer.recordLogEpoch(epochOf(0, 'c/t/1', [0, 1_000_000]));
    const { versions } = await agree('c/t/2', [0]);
    expect(versions.versionOf({ partition: 0, offset: 0 })).toBe(2 ** 44);
    expect(lines).toEqual([
      { phrase: 'new epoch of the event log', fields: { epoch: 1, cause: 'the event log was recreated' } },
    ]);
  });

  it('keeps the versions of records that were appended before the number of partitions changed', async () => {
    await agree('c/t/1', [10, 10]);
    const { versions } = await agree('c/t/1', [12, 15, 3, 0]);
    expect(versions.versionOf({ partition: 1, offset: 14 })).toBe(14);
    expect(versions.versionOf({ partition: 1, offset: 15 })).toBe(2 ** 44 + 15);
    expect(versions.versionOf({ partition: 2, offset: 0 })).toBe(2 ** 44);
  });

  it('does not begin with a lower epoch in a store that was lost', async () => {
    const epochFile = join(dir, 'folder', 'log-epoch');
    await agree('c/t/1', [10], { epochFile });
    await agree('c/t/2', [10], { epochFile });
    const lost = createChdbEventStore({ dir, database: `epochs_${databases++}` });
    await lost.administration.migrate();
    const { entry } = await agree('c/t/2', [10], { epochFile, store: lost });
    expect(entry).toEqual(epochOf(1, 'c/t/2', [0, 0]));
    const lostWithItsLog = createChdbEventStore({ dir, database: `epochs_${databases++}` });
    await lostWithItsLog.administration.migrate();
    const next = await agree('c/t/3', [10], { epochFile, store: lostWithItsLog });
    expect(next.entry).toEqual(epochOf(2, 'c/t/3', [0, 0]));
    await Promise.all([lost.administration.close(), lostWithItsLog.administration.close()]);
  });

  it('comes to the same epoch in concurrent processes, also while records are appended', async () => {
    await agree('c/t/1', [10, 20]);
    const ends = Array.from({ length: 6 }, (_, index) => [10 + index, 20, 0, index]);
    await Promise.all(ends.map((end) => agree('c/t/1', end)));
    const expected = epochOf(1, 'c/t/1', [10, 0], [20, 0], [0, 0], [0, 0]);
    expect((await store.writer.logEpochs()).at(-1)).toEqual(expected);
    expect((await agree('c/t/1', [90, 90, 90, 90])).entry).toEqual(expected);
    await Promise.all(ends.map(() => agree('c/t/2', [0, 0])));
    expect((await store.writer.logEpochs()).map(({ epoch, log }) => [epoch, log])).toEqual([
      [0, 'c/t/1'],
      [1, 'c/t/1'],
      [2, 'c/t/2'],
    ]);
  });

  it('never gives two logs one epoch, even if processes see different ones concurrently', async () => {
    await agree('c/t/1', [10]);
    const agreed = await Promise.all(['c/t/2', 'c/t/3'].map((identity) => agree(identity, [0])));
    const epochs = new Set(agreed.map(({ entry }) => entry.epoch));
    expect(epochs.size).toBe(2);
  });

  it('fails the start with one sentence when only an operator can decide', async () => {
    await agree('c/t/1', [10]);
    const refused = await agree('other/t/1', [10]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect(refused).toMatchObject({ exitCode: 78, message: expect.not.stringContaining('\n') as string });
    expect(await store.writer.logEpochs()).toHaveLength(1);
    await expect(agree('c/t/1', [10], { pinned: 0 })).resolves.toBeDefined();
  });

  it('accepts an end that was too early for a moment, as after a failover', async () => {
    await agree('c/t/1', [10]);
    await store.writer.recordLogEpoch(epochOf(0, 'c/t/1', [0, 10]));
    const ends = [9, 9, 10];
    const log = { ...logOf('c/t/1', []), end: () => Promise.resolve(offsets(ends.shift() ?? 10)) };
    expect((await agree('c/t/1', [], { log })).entry.epoch).toBe(0);
  });

  it('warns of records that retention has removed before they were stored', async () => {
    await agree('c/t/1', [100, 100]);
    await store.writer.recordLogEpoch(epochOf(0, 'c/t/1', [0, 40], [0, 40]));
    const log = { ...logOf('c/t/1', [100, 100]), retainedFrom: () => Promise.resolve(offsets(40, 70)) };
    await agree('c/t/1', [], { log });
    expect(lines).toEqual([
      {
        phrase: 'the log no longer has records that the event store may lack',
        fields: { partition: 1, fromOffset: 40, beforeOffset: 70 },
      },
    ]);
  });
});

function logOf(identity: string, ends: number[]): AgreeOnEpochOptions['log'] {
  return {
    identity: () => Promise.resolve(identity),
    end: () => Promise.resolve(offsets(...ends)),
    retainedFrom: () => Promise.resolve(new Map()),
  };
}
