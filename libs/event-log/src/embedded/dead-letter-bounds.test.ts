import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, waitFor } from '@assay/testing';
import { startConsumerLoop } from '../consumer-loop.js';
import type { ConsumedRecord, EventLog } from '../event-log.js';
import { replayDeadLetters } from '../replay-dead-letters.js';
import { openEmbeddedEventLog } from './embedded-event-log.js';

const limits = { perProject: { letters: 6, bytes: 10_000 }, total: { letters: 10, bytes: 100_000 } };
const projectOf = (record: ConsumedRecord) => record.headers.project;

describe('dead letters of two projects', () => {
  let dir: string;
  let log: EventLog;
  const open = () => openEmbeddedEventLog({ dir, logger: silentLogger, deadLetterLimits: limits });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-letters-'));
    log = await open();
  });
  afterEach(async () => {
    await log.close();
    await rm(dir, { recursive: true, force: true });
  });

  const append = (project: string, count: number) =>
    log.append(
      Array.from({ length: count }, (_, n) => ({
        key: `${project}${n}`,
        value: Buffer.from('x'),
        headers: { project },
      })),
    );

  /** Rejects every record of the log, and counts those that were not stored. */
  async function rejectAll(): Promise<number> {
    let dropped = 0;
    const loop = await startConsumerLoop({
      log,
      logger: silentLogger,
      group: 'store',
      maxRecords: 100,
      maxBytes: 1_000_000,
      lingerMs: 0,
      projectOf,
      handle: async (batch, reject) => {
        for (const record of batch) await reject(record, 'EVENT_TOO_LARGE');
      },
      onDeadLetterDropped: () => void dropped++,
    });
    const end = (await log.end()).get(0);
    await waitFor('the log is read', async () => (await log.position('store')).get(0) === end);
    await loop.stop();
    return dropped;
  }

  const letters = async () => (await log.deadLetters(100)).map(({ key }) => key);

  it('are bound per project, so that one does not stop the other, also after a restart', async () => {
    await append('a', 20);
    expect(await rejectAll()).toBe(15);
    expect(await letters()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
    await log.close();
    log = await open();
    await append('b', 2);
    await append('a', 1);
    expect(await rejectAll()).toBe(1);
    expect(await letters()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1']);
  });

  it('make room when they are replayed', async () => {
    await append('a', 5);
    expect(await rejectAll()).toBe(0);
    expect(await replayDeadLetters(log, 3)).toBe(3);
    expect(await rejectAll()).toBe(0);
    expect(await letters()).toEqual(['a3', 'a4', 'a0', 'a1', 'a2']);
  });

  it('are bound in bytes', async () => {
    const large = { key: 'l', value: Buffer.alloc(9_000), headers: { project: 'a' } };
    await log.append([large, large]);
    expect(await rejectAll()).toBe(1);
  });
});
