import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogFields, Logger } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import type { EventLog, Consumer, ConsumedRecord } from '../event-log.js';
import { openEmbeddedEventLog, type EmbeddedEventLogOptions } from './embedded-event-log.js';

const HOUR_MS = 3_600_000;

describe('the embedded log on disk', () => {
  let dir: string;
  let log: EventLog;
  let now: number;
  let errors: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-disk-'));
    now = Date.UTC(2026, 0, 1);
    errors = [];
  });

  afterEach(async () => {
    await log.close();
    await rm(dir, { recursive: true, force: true });
  });

  const open = async (options: Partial<EmbeddedEventLogOptions> = {}) => {
    const error = (_phrase: string, _fields?: LogFields, cause?: unknown) =>
      void errors.push(cause instanceof Error ? cause.message : '');
    const logger: Logger = { error, warn: error, info: () => undefined, debug: () => undefined };
    log = await openEmbeddedEventLog({ dir, logger, now: () => now, sweepIntervalMs: 5, ...options });
  };
  const append = (count: number, bytes: number) =>
    log.append(
      Array.from({ length: count }, () => ({ key: 'k', value: Buffer.alloc(bytes, 7), headers: {} })),
    );
  const first = async () => (await log.position('nobody')).get(0) ?? -1;
  const read = (group: string, received: ConsumedRecord[]): Promise<Consumer> =>
    log.read({
      group,
      maxRecords: 1000,
      maxBytes: 8_000_000,
      lingerMs: 0,
      onBatch: (batch) => Promise.resolve(void received.push(...batch)),
    });

  it('forgets what is older than 72 hours, and offsets continue', async () => {
    await open();
    await append(10, 100);
    now += 73 * HOUR_MS;
    await append(5, 100);
    await waitFor('the condition holds', async () => (await first()) === 10);
    now += 73 * HOUR_MS;
    await log.close();
    await open();
    expect((await log.end()).get(0)).toBe(15);
    await append(1, 100);
    await waitFor('the condition holds', async () => (await first()) === 15);
    expect((await log.end()).get(0)).toBe(16);
  });

  it('forgets the oldest beyond its limit of bytes', async () => {
    await open({ retention: { maxBytes: 1_000_000 } });
    for (let index = 0; index < 20; index += 1) await append(1, 100_000);
    await waitFor('the condition holds', async () => (await first()) === 11);
    const received: ConsumedRecord[] = [];
    await read('late', received);
    await waitFor('the condition holds', () => received.length === 9);
    expect(received[0]?.offset).toBe(11);
  });

  it('never forgets what a registered group has not read', async () => {
    await open({ retention: { maxBytes: 1_000 } });
    await append(1, 10_000);
    const reading = await read('slow', []);
    await waitFor('the condition holds', async () => (await log.position('slow')).get(0) === 1);
    await reading.stop();
    for (let index = 0; index < 5; index += 1) await append(1, 10_000);
    now += 100 * HOUR_MS;
    await waitFor('the condition holds', async () => (await first()) === 1);
    await log.close();
    await open({ retention: { maxBytes: 1_000 } });
    const received: ConsumedRecord[] = [];
    await read('slow', received);
    await waitFor('the condition holds', () => received.length === 5);
    expect(received.map(({ offset }) => offset)).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses appends at its hard cap, and takes them again when the readers have caught up', async () => {
    await open({ retention: { maxBytes: 1_000, hardCapBytes: 50_000 } });
    const paused = await log.read({
      group: 'slow',
      maxRecords: 1,
      maxBytes: 1,
      lingerMs: 0,
      onBatch: () => Promise.reject(new Error('away')),
    });
    for (let index = 0; index < 4; index += 1) await append(1, 10_000);
    await expect(append(1, 10_000)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await paused.stop();
    const received: ConsumedRecord[] = [];
    await read('slow', received);
    await waitFor('the condition holds', () => received.length === 4);
    await waitFor('the condition holds', () =>
      append(1, 10_000).then(
        () => true,
        () => false,
      ),
    );
  });

  it('reports a damaged record and never serves it', async () => {
    await open();
    await log.append([{ key: 'k', value: Buffer.from('THE ONLY COPY OF THIS TEXT'), headers: {} }]);
    await log.close();
    const path = join(dir, 'records', '0000000001.log');
    const bytes = await readFile(path);
    const at = bytes.indexOf('THE ONLY COPY');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await writeFile(path, bytes);
    await open();
    const received: ConsumedRecord[] = [];
    await read('g', received);
    await waitFor('the condition holds', () => errors.length > 0);
    expect(errors[0]).toBe('the event log is damaged in 0000000001.log at byte 64, offset 0');
    expect(received).toEqual([]);
    expect((await log.position('g')).get(0)).toBe(0);
  });

  it('lets one process have the directory, and one log within it', async () => {
    await open();
    const second = openEmbeddedEventLog({ dir, logger: { error() {}, warn() {}, info() {}, debug() {} } });
    await expect(second).rejects.toMatchObject({ code: 'CONFLICT' });
    await log.close();
    await open();
    await append(1, 1);
  });

  it('reads batches of many appends from any offset on', async () => {
    await open();
    for (let index = 0; index < 50; index += 1) await append(37, 20_000);
    const received: ConsumedRecord[] = [];
    await log.read({
      group: 'g',
      maxRecords: 23,
      maxBytes: 300_000,
      lingerMs: 0,
      onBatch: (batch) => Promise.resolve(void received.push(...batch)),
    });
    await waitFor('the condition holds', () => received.length === 50 * 37);
    expect(received.every(({ offset }, index) => offset === index)).toBe(true);
  });
});
