import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupFolder } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import type { ConsumedRecord, EventLog } from '../event-log.js';
import { openEmbeddedEventLog, type EmbeddedEventLog } from './embedded-event-log.js';

const HOUR_MS = 3_600_000;
/** Segments of 10 KB. */
const RETENTION = { maxBytes: 80_000, maxAgeMs: HOUR_MS };

describe('a backup of the log', () => {
  let root: string;
  let log: EmbeddedEventLog;
  let now = Date.UTC(2026, 0, 1);
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-log-backup-'));
    log = await open('log');
  });
  afterEach(async () => {
    await log.close();
    await rm(root, { recursive: true, force: true });
  });

  const open = (name: string, retention = RETENTION) =>
    openEmbeddedEventLog({
      ...{ dir: join(root, name), logger: silentLogger, now: () => now, sweepIntervalMs: 1, retention },
      activeGroups: ['g'],
    });
  const append = (keys: readonly string[]) =>
    log.append(keys.map((key) => ({ key, value: Buffer.alloc(1_000, 7), headers: {} })));
  const keys = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `key-${from + index}`);
  const reader = (of: EventLog, onBatch: (batch: readonly ConsumedRecord[]) => Promise<void>) =>
    of.read({ group: 'g', maxRecords: 1_000, maxBytes: 8_000_000, lingerMs: 0, onBatch });
  const position = async (of: EventLog) => (await of.position('g')).get(0);
  const letterKeys = async (of: EventLog) => (await of.deadLetters(100)).map(({ key }) => key);

  it('has the positions and letters of its beginning and all records until its end, also those that expire meanwhile', async () => {
    const failing = new Set(['key-3', 'key-20']);
    const consumer = await reader(log, async (batch) => {
      for (const record of batch)
        if (failing.has(record.key)) await log.deadLetter(record, { group: 'g', errorClass: 'E' });
    });
    await append(keys(0, 12));
    await waitFor('the first records are read', async () => (await position(log)) === 12);
    const backup = await log.beginBackup();
    await append(keys(12, 40));
    await waitFor('the later records are read', async () => (await position(log)) === 40);
    await log.dropDeadLetters(1);
    now += 3 * HOUR_MS;
    await append(keys(40, 41));
    const folder = new BackupFolder(join(root, 'backup'), () => undefined);
    await backup.writeTo(folder, 'log');
    await append(keys(41, 50));
    await folder.sync();
    await backup.end();
    await waitFor('retention continues', async () => ((await log.retainedFrom()).get(0) ?? 0) > 0);
    await consumer.stop();

    const copy = await open('backup/log', { ...RETENTION, maxAgeMs: 100 * HOUR_MS });
    expect([await position(copy), (await copy.end()).get(0)]).toEqual([12, 41]);
    expect(await letterKeys(copy)).toEqual(['key-3']);
    expect(await copy.identity()).toBe(await log.identity());
    const read: string[] = [];
    const again = await reader(copy, async (batch) => {
      for (const record of batch) {
        read.push(record.key);
        if (failing.has(record.key)) await copy.deadLetter(record, { group: 'g', errorClass: 'E' });
      }
    });
    await waitFor('the rest is read', async () => (await position(copy)) === 41);
    expect(read).toEqual(keys(12, 41));
    expect(await letterKeys(copy)).toEqual(['key-3', 'key-20']);
    await again.stop();
    await copy.close();
  });
});
