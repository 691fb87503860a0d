import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogFields, Logger } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import type { ConsumedRecord, EventLog } from '../event-log.js';
import { openEmbeddedEventLog, type EmbeddedEventLogOptions } from './embedded-event-log.js';

describe('opening an embedded log', () => {
  let dir: string;
  let log: EventLog | undefined;
  let reported: { phrase: string; fields?: LogFields }[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-recovery-'));
    reported = [];
  });

  afterEach(async () => {
    await log?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const open = async (options: Partial<EmbeddedEventLogOptions> = {}) => {
    const report = (phrase: string, fields?: LogFields) => void reported.push({ phrase, fields });
    const logger: Logger = { error: report, warn: report, info: () => undefined, debug: () => undefined };
    log = await openEmbeddedEventLog({ dir, logger, readRetryMs: 1, ...options });
    return log;
  };
  const close = async () => {
    await log?.close();
    log = undefined;
  };
  const segment = (number = 1) => join(dir, 'records', `${String(number).padStart(10, '0')}.log`);
  const append = (text: string) => log?.append([{ key: text, value: Buffer.from(text), headers: {} }]);
  const flipByte = async (path: string, text: string) => {
    const bytes = await readFile(path);
    const at = bytes.lastIndexOf(text);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await writeFile(path, bytes);
  };
  /** Keeps the segment as it is now, without what a clean close adds. */
  const closeAsKilled = async () => {
    const bytes = await readFile(segment());
    await close();
    await writeFile(segment(), bytes);
  };
  const readKeys = async (group: string, count: number, maxRecords = 1) => {
    const received: ConsumedRecord[] = [];
    const onBatch = (batch: readonly ConsumedRecord[]) => Promise.resolve(void received.push(...batch));
    const consumer = await log?.read({ group, maxRecords, maxBytes: 1_000_000, lingerMs: 0, onBatch });
    await waitFor('the condition holds', () => received.length >= count);
    await consumer?.stop();
    return received.map(({ key }) => key);
  };

  it('cuts an append that a crash interrupted, and reuses its offsets', async () => {
    await open();
    await append('first');
    await append('torn');
    await closeAsKilled();
    const { length } = await readFile(segment());
    await truncate(segment(), length - 1);
    await open();
    expect(reported.map(({ phrase }) => phrase)).toEqual(['an append that a crash interrupted was removed']);
    await append('second');
    expect(await readKeys('g', 2)).toEqual(['first', 'second']);
  });

  it('cuts all batches of an append of which one is missing', async () => {
    await open();
    await append('first');
    const big = (key: string) => ({ key, value: Buffer.alloc(300_000), headers: {} });
    await log?.append([big('a'), big('b'), big('c')]);
    await closeAsKilled();
    const bytes = await readFile(segment());
    bytes.fill(1, bytes.length - 2_000);
    await writeFile(segment(), bytes);
    await open();
    expect((await log?.end())?.get(0)).toBe(1);
  });

  it('reports damage that is followed by later appends, and keeps those', async () => {
    await open();
    for (const text of ['first', 'DAMAGED', 'third']) await append(text);
    await closeAsKilled();
    await flipByte(segment(), 'DAMAGED');
    await open();
    expect(reported[0]).toMatchObject({
      phrase: 'the event log is damaged',
      fields: { file: '0000000001.log', offset: 1 },
    });
    expect((await log?.end())?.get(0)).toBe(3);
    await append('fourth');
    expect(await readKeys('g', 1, 1_000)).toEqual(['first']);
    const again = await log?.read({
      group: 'g',
      maxRecords: 1,
      maxBytes: 1,
      lingerMs: 0,
      onBatch: () => Promise.resolve(),
    });
    await waitFor('the condition holds', () =>
      reported.some(({ fields }) => fields?.group === 'g' && fields.offset === 1),
    );
    await again?.stop();
    await close();
    await open();
    expect((await log?.end())?.get(0)).toBe(4);
  });

  it('reports damage of the last append when a consumer group has committed it', async () => {
    await open();
    for (const text of ['first', 'DAMAGED']) await append(text);
    await readKeys('g', 2);
    await closeAsKilled();
    await flipByte(segment(), 'DAMAGED');
    await open();
    expect(reported[0]).toMatchObject({ phrase: 'the event log is damaged', fields: { offset: 1 } });
    expect((await log?.end())?.get(0)).toBe(2);
  });

  it('does not take a record that looks like a batch for one', async () => {
    await open();
    await append('first');
    const copy = await readFile(segment());
    await log?.append([{ key: 'copy', value: copy.subarray(64), headers: {} }]);
    await closeAsKilled();
    const { length } = await readFile(segment());
    await truncate(segment(), length - 1);
    await open();
    expect((await log?.end())?.get(0)).toBe(1);
  });

  it('refuses a segment with a damaged header, naming the file', async () => {
    await open();
    await append('first');
    await close();
    const bytes = await readFile(segment());
    bytes.writeUInt8(1, 20);
    await writeFile(segment(), bytes);
    await expect(open()).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { file: '0000000001.log' },
    });
  });

  it('removes the rest of a segment whose creation failed', async () => {
    await open();
    await append('first');
    await close();
    await writeFile(segment(2), Buffer.alloc(10));
    await open();
    await append('second');
    expect(await readKeys('g', 2)).toEqual(['first', 'second']);
    expect(await readdir(join(dir, 'records'))).toEqual(['0000000001.log']);
  });

  it('refuses segments of another log', async () => {
    await open();
    await append('first');
    await close();
    await rm(join(dir, 'log-id'));
    await expect(open()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('refuses the directory of an earlier version', async () => {
    for (const name of ['data.mdb', 'lock.mdb', 'events.lmdb']) {
      const old = join(dir, `with-${name}`);
      await mkdir(old);
      await writeFile(join(old, name), '');
      await expect(open({ dir: old })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'the event log has the format of an earlier version, use an empty directory',
      });
    }
  });
});
