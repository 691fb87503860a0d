import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, unavailable, validationError } from '@assay/errors';
import { silentLogger, waitFor } from '@assay/testing';
import { openEmbeddedEventLog } from './embedded/embedded-event-log.js';
import type { EventLog, ConsumedRecord } from './event-log.js';
import { startConsumerLoop, type ConsumerLoop, type ConsumerLoopOptions } from './consumer-loop.js';

describe('the consumer loop', () => {
  let dir: string;
  let log: EventLog;
  let loop: ConsumerLoop | undefined;
  let waits: number[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-loop-'));
    log = await openEmbeddedEventLog({ dir, logger: silentLogger });
    waits = [];
  });

  afterEach(async () => {
    await loop?.stop();
    await log.close();
    await rm(dir, { recursive: true, force: true });
  });

  const timing = {
    random: () => 1,
    now: () => performance.now(),
    wait: (ms: number) => {
      waits.push(ms);
      return new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
  const start = async (options: Partial<ConsumerLoopOptions> & Pick<ConsumerLoopOptions, 'handle'>) => {
    loop = await startConsumerLoop({
      log,
      logger: silentLogger,
      group: 'store',
      maxRecords: 1000,
      maxBytes: 8_000_000,
      lingerMs: 0,
      timing,
      ...options,
    });
    return loop;
  };
  const append = (texts: readonly string[]) =>
    log.append(texts.map((text) => ({ key: text, value: Buffer.from(text), headers: { kind: 'event' } })));
  const position = async () => (await log.position('store')).get(0) ?? 0;

  it('delivers every record once when nothing fails', async () => {
    const seen: string[] = [];
    await append(['a', 'b', 'c']);
    await start({ handle: (batch) => Promise.resolve(void seen.push(...texts(batch))) });
    await waitFor('the condition holds', async () => (await position()) === 3);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(waits).toEqual([]);
  });

  it('retries with exponential backoff as long as failures are retryable', async () => {
    let failuresLeft = 8;
    let retries = 0;
    await append(['a']);
    await start({
      onRetry: () => void (retries += 1),
      handle: () =>
        failuresLeft-- > 0 ? Promise.reject(unavailable('the store is unavailable')) : Promise.resolve(),
    });
    await waitFor('the condition holds', async () => (await position()) === 1);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(retries).toBe(8);
    expect(await log.deadLetters(10)).toEqual([]);
  });

  it('treats a failure without a code as retryable', async () => {
    let failuresLeft = 2;
    await append(['a']);
    await start({
      handle: () => (failuresLeft-- > 0 ? Promise.reject(new Error('boom')) : Promise.resolve()),
    });
    await waitFor('the condition holds', async () => (await position()) === 1);
    expect(await log.deadLetters(10)).toEqual([]);
  });

  it('stores exactly the failing records of a batch as dead letters and handles all others', async () => {
    const good = new Set<string>();
    let calls = 0;
    const names = Array.from({ length: 1000 }, (_, index) =>
      index === 17 || index === 900 ? `bad ${index}` : `good ${index}`,
    );
    await append(names);
    await start({
      handle: (batch) => {
        calls += 1;
        if (texts(batch).some((text) => text.startsWith('bad')))
          return Promise.reject(validationError('a field is wrong'));
        for (const text of texts(batch)) good.add(text);
        return Promise.resolve();
      },
    });
    await waitFor('the condition holds', async () => (await position()) === 1000);
    expect(good.size).toBe(998);
    const letters = await log.deadLetters(10);
    expect(
      letters.map(({ value, offset, reason, headers }) => ({
        text: value.toString(),
        offset,
        reason,
        headers,
      })),
    ).toEqual(
      [17, 900].map((offset) => ({
        text: `bad ${offset}`,
        offset,
        reason: { group: 'store', errorClass: 'VALIDATION_ERROR' },
        headers: { kind: 'event' },
      })),
    );
    expect(calls).toBeLessThan(50);
  });

  it('stops reading after more than 100 consecutive failures without losing a record', async () => {
    let tripped = 0;
    let deadLetters = 0;
    await append(Array.from({ length: 150 }, (_, index) => `bad ${index}`));
    const running = await start({
      maxRecords: 10,
      onTripped: () => void (tripped += 1),
      onDeadLetter: () => void (deadLetters += 1),
      handle: () => Promise.reject(validationError('a field is wrong')),
    });
    await waitFor('the condition holds', () => running.tripped());
    running.resume();
    running.flush();
    expect(await log.deadLetters(1000)).toHaveLength(100);
    expect(await position()).toBe(100);
    expect([tripped, deadLetters]).toEqual([1, 100]);
    await running.stop();
    expect(await position()).toBe(100);
  });

  it('keeps reading when the failures of one project alone are too many', async () => {
    await log.append([...appended('noisy', 150), ...appended('other', 1)]);
    const running = await start({
      projectOf: ({ headers }) => headers.project,
      handle: (batch) =>
        batch.some(({ headers }) => headers.project === 'noisy')
          ? Promise.reject(validationError('a field is wrong'))
          : Promise.resolve(),
    });
    await waitFor('the condition holds', async () => (await position()) === 151);
    expect(running.tripped()).toBe(false);
    expect(await log.deadLetters(1000)).toHaveLength(150);
  });

  it('stops reading when the records of two projects fail', async () => {
    await log.append([...appended('one', 75), ...appended('two', 75)]);
    const running = await start({
      projectOf: ({ headers }) => headers.project,
      handle: () => Promise.reject(validationError('a field is wrong')),
    });
    await waitFor('the condition holds', () => running.tripped());
    expect((await log.deadLetters(1000)).length).toBeLessThan(150);
  });

  it('does not count data that is too large as a failure of the reader', async () => {
    await append(Array.from({ length: 150 }, (_, index) => `large ${index}`));
    const running = await start({
      handle: () => Promise.reject(new AppError('PAYLOAD_TOO_LARGE', 'the item is too large')),
    });
    await waitFor('the condition holds', async () => (await position()) === 150);
    expect(running.tripped()).toBe(false);
    expect(await log.deadLetters(1000)).toHaveLength(150);
  });

  it('stores a rejected record as a dead letter once, however often its batch is retried', async () => {
    let failuresLeft = 2;
    await append(['a', 'bad', 'c']);
    const running = await start({
      handle: async (batch, reject) => {
        for (const record of batch) if (record.key === 'bad') await reject(record, 'EVENT_TOO_LARGE');
        if (failuresLeft-- > 0) throw unavailable('unreachable');
      },
    });
    await waitFor('the condition holds', async () => (await position()) === 3);
    expect((await log.deadLetters(10)).map(({ key, reason }) => [key, reason])).toEqual([
      ['bad', { group: 'store', errorClass: 'EVENT_TOO_LARGE' }],
    ]);
    expect(running.tripped()).toBe(false);
  });

  it('does not count as idle while it waits for a retry', async () => {
    await append(['a']);
    let waiting = false;
    const running = await start({
      handle: () => Promise.reject(unavailable('the store is unavailable')),
      timing: {
        random: () => 1,
        now: () => performance.now(),
        wait: (_ms, signal) => {
          waiting = true;
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        },
      },
    });
    await waitFor('the condition holds', () => waiting);
    expect(running.idleMs()).toBe(0);
  });

  it('does not count as idle while its handler runs, for up to 15 minutes', async () => {
    await append(['a']);
    let startedAt: number | undefined;
    let end = (): void => undefined;
    let passedMs = 0;
    const running = await start({
      handle: () => {
        startedAt ??= performance.now();
        return new Promise((resolve) => (end = resolve));
      },
      timing: { random: () => 1, now: () => passedMs, wait: () => Promise.resolve() },
    });
    await waitFor('the handler has run', () => startedAt !== undefined && performance.now() - startedAt > 20);
    expect(running.idleMs()).toBe(0);
    passedMs = 15 * 60_000;
    expect(running.idleMs()).toBe(0);
    passedMs += 30_001;
    expect(running.idleMs()).toBe(30_001);
    end();
    await waitFor('the batch is committed', async () => (await position()) === 1);
    expect(running.idleMs()).toBeLessThan(30_000);
  });

  it('stops during a retry wait without committing', async () => {
    await append(['a']);
    let waiting = false;
    const running = await start({
      handle: () => Promise.reject(unavailable('the store is unavailable')),
      timing: {
        random: () => 1,
        now: () => performance.now(),
        wait: (_ms, signal) => {
          waiting = true;
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        },
      },
    });
    await waitFor('the condition holds', () => waiting);
    await running.stop();
    expect(await position()).toBe(0);
    const seen: string[] = [];
    await start({ handle: (batch) => Promise.resolve(void seen.push(...texts(batch))) });
    await waitFor('the condition holds', () => seen.length === 1);
  });

  it('waits in real time by default', async () => {
    let calls = 0;
    await append(['a']);
    await start({
      timing: undefined,
      handle: () =>
        calls++ === 0 ? Promise.reject(new AppError('OVERLOADED', 'the store is busy')) : Promise.resolve(),
    });
    await waitFor('the condition holds', async () => (await position()) === 1);
    expect(calls).toBe(2);
  });
});

function appended(project: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    key: `${project} ${index}`,
    value: Buffer.alloc(0),
    headers: { project },
  }));
}

function texts(batch: readonly ConsumedRecord[]): string[] {
  return batch.map(({ value }) => value.toString());
}
