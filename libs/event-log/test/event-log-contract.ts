import { randomBytes, randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor } from '@assay/testing';
import type {
  DeadLetter,
  EventLog,
  LogPosition,
  Consumer,
  LogRecord,
  ConsumedRecord,
  ReadOptions,
} from '../src/event-log.js';
import { replayDeadLetters, replayOrigin } from '../src/replay-dead-letters.js';
import { deadLetterId, removeDeadLetters } from '../src/take-dead-letters.js';

/** One log on its engine, fresh for each test. */
export interface LogUnderTest {
  /** Opens the log. Opened again after `close`, it is the same log. */
  open(): Promise<EventLog>;
  /** Arguments with which `append-until-killed.cjs` opens the same log in a child process. */
  readonly forChild: { readonly kind: 'embedded' | 'kafka'; readonly options: object };
  /**
   * Disconnects the engine of an open log during a call. The result reconnects it and returns the log to use.
   */
  disconnect(log: EventLog): Promise<() => Promise<EventLog>>;
  /** Removes all data. */
  remove(): Promise<void>;
}

const WAIT_MS = 30_000;

/** The contract of {@link EventLog} as tests that every adapter passes. */
export function describeEventLogContract(name: string, makeLog: () => Promise<LogUnderTest>): void {
  describe(`${name}: the event log`, () => {
    let underTest: LogUnderTest;
    let log: EventLog;

    beforeEach(async () => {
      underTest = await makeLog();
      log = await underTest.open();
    }, WAIT_MS);

    afterEach(async () => {
      await log.close();
      await underTest.remove();
    }, WAIT_MS);

    const reopen = async () => {
      await log.close();
      log = await underTest.open();
    };

    it('returns appended records byte for byte', async () => {
      const records = [
        record('plain', 'text', { v: '1', kind: 'event' }),
        { key: 'empty', value: Buffer.alloc(0), headers: {} },
        {
          key: 'ключ 🔑 \u0000',
          value: Buffer.from([0, 255, 128, 10, 13]),
          headers: { Überschrift: '値 🙂', leer: '' },
        },
        {
          key: 'proto',
          value: Buffer.from('{}'),
          headers: { ['__proto__']: 'a', constructor: 'b', toString: 'c' },
        },
      ];
      await log.append(records);
      const read = await readCount(log, 'g', records.length);
      expect(sorted(read).map(content)).toEqual(sorted(records).map(content));
    });

    it('returns the time of the append, the same on every delivery', async () => {
      const before = Date.now();
      await log.append([record('timed', 'x')]);
      const after = Date.now();
      const [first] = await readCount(log, 'g', 1);
      expect(first?.appendedAt).toBeGreaterThanOrEqual(before);
      expect(first?.appendedAt).toBeLessThanOrEqual(after);
      await reopen();
      const [again] = await readCount(log, 'another', 1);
      expect(again?.appendedAt).toBe(first?.appendedAt);
    });

    it('stores values of 10 MB', async () => {
      const big = { key: 'big', value: randomBytes(10_000_000), headers: { kind: 'event' } };
      await log.append([record('big', 'before'), big, record('big', 'after')]);
      const read = await readCount(log, 'g', 3);
      expect(read.map(({ value }) => value.length)).toEqual([6, 10_000_000, 5]);
      expect(read[1]?.value.equals(big.value)).toBe(true);
    });

    it('rejects a record over 16 MiB and appends nothing of that call', async () => {
      const before = await log.end();
      const tooLarge = { key: 'k', value: Buffer.alloc(16 * 1024 * 1024), headers: {} };
      await expect(log.append([record('k', 'small'), tooLarge])).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
      });
      expect(await log.end()).toEqual(before);
    });

    it('resolves immediately without records', async () => {
      const before = await log.end();
      await log.append([]);
      expect(await log.end()).toEqual(before);
    });

    it('keeps the order of a key, within a call and across calls', async () => {
      for (let call = 0; call < 5; call += 1) {
        await log.append(numbers(700).map((index) => record(`key-${index % 7}`, String(call * 700 + index))));
      }
      const read = await readCount(log, 'g', 3500);
      for (const [, values] of byKey(read)) expect(values).toEqual([...values].sort((a, b) => a - b));
      expect(new Set(read.map(({ value }) => value.toString())).size).toBe(3500);
    });

    it('keeps all records of a key in one partition, with growing offsets', async () => {
      await log.append(numbers(300).map((index) => record(`key-${index % 11}`, String(index))));
      const read = await readCount(log, 'g', 300);
      const partitions = new Map<string, Set<number>>();
      const last = new Map<number, number>();
      for (const { key, partition, offset } of read) {
        partitions.set(key, (partitions.get(key) ?? new Set()).add(partition));
        expect(offset).toBeGreaterThan(last.get(partition) ?? -1);
        last.set(partition, offset);
      }
      expect([...partitions.values()].map((set) => set.size)).toEqual(new Array(11).fill(1));
    });

    it('keeps concurrent appends intact', async () => {
      await Promise.all(
        numbers(200).map((index) =>
          log.append([record(`k${index}`, `${index}a`), record(`k${index}`, `${index}b`)]),
        ),
      );
      const read = await readCount(log, 'g', 400);
      const values = new Set(read.map(({ value }) => value.toString()));
      expect(values.size).toBe(400);
    });

    it('delivers an appended record with little delay', async () => {
      const { consumer, received } = await startCollecting(log, { group: 'g' });
      await log.append([record('k', 'warm-up')]);
      await waitFor('the condition holds', () => received.length === 1);
      const startedAt = performance.now();
      await log.append([record('k', 'x')]);
      await waitFor('the condition holds', () => received.length === 2);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      await consumer.stop();
    });

    it('lets groups read independently of each other', async () => {
      await log.append(numbers(10).map((index) => record('k', String(index))));
      await readCount(log, 'one', 10);
      expect(total(await log.position('one'))).toBe(10);
      expect(total(await log.position('two'))).toBe(0);
      expect(await readCount(log, 'two', 10)).toHaveLength(10);
    });

    it('reports its end and the position of a group', async () => {
      expect(total(await log.end())).toBe(0);
      await log.append(numbers(30).map((index) => record(`k${index}`, 'x')));
      expect(total(await log.end())).toBe(30);
      expect(total(await log.position('g'))).toBe(0);
      await readCount(log, 'g', 30);
      expect(await log.position('g')).toEqual(await log.end());
    });

    it('keeps records and positions across a restart', async () => {
      await log.append(numbers(20).map((index) => record('k', String(index))));
      await readCount(log, 'g', 20);
      await reopen();
      expect(total(await log.end())).toBe(20);
      expect(total(await log.position('g'))).toBe(20);
      await log.append([record('k', 'after')]);
      const read = await readCount(log, 'g', 1);
      expect(read.map(({ value }) => value.toString())).toEqual(['after']);
    });

    it('keeps its identity over a restart', async () => {
      const identity = await log.identity();
      expect(identity).not.toBe('');
      await log.append([record('k', 'x')]);
      await reopen();
      expect(await log.identity()).toBe(identity);
    });

    it('gives another log another identity', async () => {
      const otherWorld = await makeLog();
      const other = await otherWorld.open();
      expect(await other.identity()).not.toBe(await log.identity());
      await other.close();
      await otherWorld.remove();
    });

    it('redelivers uncommitted records in order', async () => {
      await log.append(numbers(5).map((index) => record('k', String(index))));
      let failures = 0;
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        maxRecords: 2,
        before: (batch) => {
          if (batch[0]?.offset === 2 && failures++ === 0) throw new Error('crashed before the commit');
        },
      });
      await waitFor('the condition holds', () => received.length >= 5);
      expect(received.map(({ value }) => value.toString())).toEqual(['0', '1', '2', '3', '4']);
      expect(failures).toBe(2);
      await consumer.stop();
    });

    it('commits a batch before it delivers the next one, and never backwards', async () => {
      await log.append(numbers(40).map((index) => record('k', String(index))));
      const positions: number[] = [];
      const starts: number[] = [];
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        maxRecords: 10,
        before: async (batch) => {
          starts.push(batch[0]?.offset ?? -1);
          positions.push(total(await log.position('g')));
        },
      });
      await waitFor('the condition holds', () => received.length === 40);
      expect(starts).toEqual([0, 10, 20, 30]);
      expect(positions).toEqual([0, 10, 20, 30]);
      await consumer.stop();
    });

    it('limits batches by records and by bytes', async () => {
      await log.append(numbers(10).map(() => ({ key: 'k', value: Buffer.alloc(1000), headers: {} })));
      await log.append([{ key: 'k', value: Buffer.alloc(5000), headers: {} }]);
      const sizes: number[] = [];
      const { consumer } = await startCollecting(log, {
        group: 'g',
        maxRecords: 4,
        maxBytes: 3000,
        before: (batch) => void sizes.push(batch.length),
      });
      await waitFor('the condition holds', () => sizes.reduce((sum, size) => sum + size, 0) === 11);
      expect(sizes).toEqual([3, 3, 3, 1, 1]);
      await consumer.stop();
    });

    it('accumulates small batches for the linger time, which a flush cuts short', async () => {
      const sizes: number[] = [];
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        lingerMs: 60_000,
        before: (batch) => void sizes.push(batch.length),
      });
      await log.append([record('k', 'first')]);
      await waitFor('the condition holds', () => received.length === 1);
      for (const text of ['a', 'b', 'c']) await log.append([record('k', text)]);
      consumer.flush();
      await waitFor('the condition holds', () => received.length === 4);
      expect(sizes[0]).toBe(1);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4);
      await consumer.stop();
    });

    it('asks a function for the linger time of each batch', async () => {
      const sizes: number[] = [];
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        lingerMs: () => (sizes.length < 2 ? 0 : 60_000),
        before: (batch) => void sizes.push(batch.length),
      });
      for (const count of [1, 2]) {
        await log.append([record('k', String(count))]);
        await waitFor('the condition holds', () => received.length === count);
      }
      for (const text of ['a', 'b', 'c']) await log.append([record('k', text)]);
      consumer.flush();
      await waitFor('the condition holds', () => received.length === 5);
      expect(sizes.slice(0, 2)).toEqual([1, 1]);
      await consumer.stop();
    });

    it('delivers a full batch without lingering', async () => {
      await log.append(numbers(50).map((index) => record('k', String(index))));
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        maxRecords: 10,
        lingerMs: 60_000,
      });
      await waitFor('the condition holds', () => received.length === 50);
      await consumer.stop();
    });

    it('delivers nothing while paused, and resumes at the same position', async () => {
      const { consumer, received } = await startCollecting(log, { group: 'g' });
      await log.append([record('k', 'before')]);
      await waitFor('the condition holds', () => received.length === 1);
      consumer.pause();
      await log.append([record('k', 'meanwhile')]);
      const other = await startCollecting(log, { group: 'other' });
      await waitFor('the condition holds', () => other.received.length === 2);
      expect(received).toHaveLength(1);
      consumer.resume();
      await waitFor('the condition holds', () => received.length === 2);
      await Promise.all([consumer.stop(), other.consumer.stop()]);
    });

    it('finishes and commits the batch in progress when it is stopped', async () => {
      await log.append([record('k', 'x')]);
      const batchEntered = signal();
      const mayEnd = signal();
      const { consumer } = await startCollecting(log, {
        group: 'g',
        before: async () => {
          batchEntered.give();
          await mayEnd.given;
        },
      });
      await batchEntered.given;
      const stopping = consumer.stop();
      mayEnd.give();
      await stopping;
      await consumer.stop();
      expect(total(await log.position('g'))).toBe(1);
    });

    it('assigns a partition to one reader of a group at a time, and to another when that one leaves', async () => {
      const first = await startCollecting(log, { group: 'g' });
      await log.append([record('k', '1')]);
      await waitFor('the condition holds', () => first.received.length === 1);
      const second = await startCollecting(log, { group: 'g' });
      await first.consumer.stop();
      await log.append([record('k', '2')]);
      await waitFor('the condition holds', () => second.received.length === 1);
      expect(second.received.map(({ value }) => value.toString())).toEqual(['2']);
      expect(first.received).toHaveLength(1);
      await second.consumer.stop();
    });

    it('reports assigned partitions before their first batch', async () => {
      await log.append([record('k', 'x')]);
      const events: string[] = [];
      const onAssigned = (partitions: readonly number[]) =>
        void events.push(`assigned ${partitions.length > 0}`);
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        onAssigned,
        before: () => void events.push('batch'),
      });
      await waitFor('the condition holds', () => received.length === 1);
      expect(events).toEqual(['assigned true', 'batch']);
      expect(consumer.idleMs()).toBeLessThan(WAIT_MS);
      await consumer.stop();
    });

    it('starts at a position below the committed one, which it lowers', async () => {
      const partition = await appendAndRead(log, 'g', 10);
      const mayHandle = signal();
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        startAt: () => Promise.resolve(new Map([[partition, 4]])),
        before: () => mayHandle.given,
      });
      expect(total(await log.position('g'))).toBe(4);
      mayHandle.give();
      await waitFor('the condition holds', () => received.length === 6);
      await log.append([record('k', 'after')]);
      await waitFor('the condition holds', () => received.length === 7);
      expect(received.map(({ offset }) => offset)).toEqual([4, 5, 6, 7, 8, 9, 10]);
      await consumer.stop();
      expect(await log.position('g')).toEqual(await log.end());
    });

    it('ignores a position to start at beyond the committed one', async () => {
      const partition = await appendAndRead(log, 'g', 3);
      await log.append([record('k', 'after')]);
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        startAt: () => Promise.resolve(new Map([[partition, 1_000]])),
      });
      await waitFor('the condition holds', () => received.length > 0);
      expect(received.map(({ offset }) => offset)).toEqual([3]);
      await consumer.stop();
    });

    it('asks for the position to start at until it is known, and delivers nothing before', async () => {
      const partition = await appendAndRead(log, 'g', 3);
      const calls: string[] = [];
      const { consumer, received } = await startCollecting(log, {
        group: 'g',
        startAt: (partitions) => {
          calls.push(`asked ${partitions.includes(partition)}`);
          return calls.length === 1
            ? Promise.reject(new Error('unknown'))
            : Promise.resolve(new Map([[partition, 1]]));
        },
        before: () => void calls.push('batch'),
      });
      await waitFor('the condition holds', () => received.length === 2);
      expect(calls).toEqual(['asked true', 'asked true', 'batch']);
      await consumer.stop();
    });

    it('asks again for the position to start at when a reader takes over a partition', async () => {
      const first = await startCollecting(log, { group: 'g', startAt: () => Promise.resolve(new Map()) });
      await log.append(numbers(5).map((index) => record('k', String(index))));
      await waitFor('the condition holds', () => first.received.length === 5);
      const partition = first.received[0]?.partition ?? -1;
      const second = await startCollecting(log, {
        group: 'g',
        startAt: () => Promise.resolve(new Map([[partition, 2]])),
      });
      await first.consumer.stop();
      await waitFor('the condition holds', () => second.received.length >= 3);
      expect(second.received.map(({ offset }) => offset)).toEqual([2, 3, 4]);
      await second.consumer.stop();
    });

    it('reports its first retained offsets', async () => {
      expect(await log.retainedFrom()).toEqual(await log.end());
      const before = await log.retainedFrom();
      await log.append([record('k', 'x')]);
      expect(await log.retainedFrom()).toEqual(before);
    });

    it('keeps dead letters with their original bytes and offset until they are dropped', async () => {
      const bad = {
        key: 'schlüssel',
        value: Buffer.from([1, 0, 255]),
        headers: { kind: 'event', ['__proto__']: 'x' },
      };
      await log.append([record('k', 'good'), bad]);
      const consumed = (await readCount(log, 'g', 2)).find(({ key }) => key === bad.key);
      if (consumed === undefined) throw new Error('the record was not read');
      await log.deadLetter(consumed, { group: 'g', errorClass: 'VALIDATION_ERROR' });
      await reopen();
      const [letter, ...more] = await log.deadLetters(10);
      expect(more).toEqual([]);
      expect(letter && content(letter)).toEqual(content(bad));
      expect(letter).toMatchObject({
        reason: { group: 'g', errorClass: 'VALIDATION_ERROR' },
        partition: consumed.partition,
        offset: consumed.offset,
      });
      await log.dropDeadLetters(letter?.id ?? -1);
      await log.dropDeadLetters(letter?.id ?? -1);
      expect(await log.deadLetters(10)).toEqual([]);
    });

    it('replays the requested number of dead letters, oldest first, and deletes them', async () => {
      const originals = numbers(3).map((index) => record('k', `bad ${index}`, { kind: 'event' }));
      await log.append(originals);
      for (const consumed of await readCount(log, 'g', 3))
        await log.deadLetter(consumed, { group: 'g', errorClass: 'VALIDATION_ERROR' });
      expect((await log.deadLetters(2)).map(({ value }) => value.toString())).toEqual(['bad 0', 'bad 1']);
      expect(await replayDeadLetters(log, 2)).toBe(2);
      const read = await readCount(log, 'g', 2);
      expect(read.map(({ key, value }) => [key, value])).toEqual(
        originals.slice(0, 2).map(({ key, value }) => [key, value]),
      );
      expect(read.map(replayOrigin)).toMatchObject([
        { group: 'g', offset: 0 },
        { group: 'g', offset: 1 },
      ]);
      expect(read.map(({ headers }) => headers.kind)).toEqual(['event', 'event']);
      expect((await log.deadLetters(10)).map(({ value }) => value.toString())).toEqual(['bad 2']);
      expect(await replayDeadLetters(log, 10)).toBe(1);
      expect(await log.deadLetters(10)).toEqual([]);
    });

    it('deletes and replays single dead letters, and keeps the others with their id and time', async () => {
      await log.append(numbers(5).map((index) => record('k', `bad ${index}`)));
      const startedAt = Date.now();
      for (const consumed of await readCount(log, 'g', 5))
        await log.deadLetter(consumed, { group: 'g', errorClass: 'VALIDATION_ERROR', epoch: 2 });
      const values = async () => (await log.deadLetters(10)).map(({ value }) => value.toString());
      const stored = await log.deadLetters(10);
      expect(stored.map(deadLetterId)).toEqual(
        stored.map(({ partition, offset }) => `g-2-${partition}-${offset}`),
      );
      expect(stored.every(({ at }) => at >= startedAt && at <= Date.now())).toBe(true);
      const behindSecond = await log.deadLetters(2, stored[1]?.id);
      expect(behindSecond.map(({ value }) => value.toString())).toEqual(['bad 2', 'bad 3']);
      const only = (offset: number) => (letter: DeadLetter) => letter.offset === offset;
      expect(await removeDeadLetters(log, { limit: 10, matches: only(1) })).toBe(1);
      expect((await values()).sort()).toEqual(['bad 0', 'bad 2', 'bad 3', 'bad 4']);
      expect(await replayDeadLetters(log, 10, only(3))).toBe(1);
      await reopen();
      const left = await log.deadLetters(10);
      const original = new Map(stored.map((letter) => [deadLetterId(letter), letter]));
      expect(left.map(({ value }) => value.toString()).sort()).toEqual(['bad 0', 'bad 2', 'bad 4']);
      for (const letter of left)
        expect({ ...letter, id: 0 }).toEqual({ ...original.get(deadLetterId(letter)), id: 0 });
      expect((await readCount(log, 'g', 1)).map(({ value }) => value.toString())).toEqual(['bad 3']);
      expect(await removeDeadLetters(log, { limit: 10, matches: only(1) })).toBe(0);
      expect(await removeDeadLetters(log, { limit: 2 })).toBe(2);
      expect(await values()).toHaveLength(1);
    });

    it('keeps the first origin of a record that is replayed twice', async () => {
      await log.append([record('k', 'bad')]);
      for (let replays = 0; replays < 2; replays++) {
        for (const consumed of await readCount(log, 'g', 1))
          await log.deadLetter(consumed, { group: 'g', errorClass: 'VALIDATION_ERROR', epoch: 5 + replays });
        expect(await replayDeadLetters(log, 1)).toBe(1);
      }
      expect((await readCount(log, 'g', 1)).map(replayOrigin)).toMatchObject([
        { group: 'g', offset: 0, epoch: 5 },
      ]);
    });

    it('loses no acknowledged record when the process is killed', async () => {
      await log.close();
      const acknowledged = await appendUntilKilled(underTest.forChild, 200);
      log = await underTest.open();
      const read = await readCount(log, 'g', total(await log.end()));
      const values = new Set(read.map(({ value }) => value.toString()));
      expect(acknowledged.filter((number) => !values.has(number))).toEqual([]);
      for (const [, order] of byKey(read)) expect(order).toEqual([...order].sort((a, b) => a - b));
    });

    it('reports UNAVAILABLE within 10 s when its engine is disconnected, and recovers afterwards', async () => {
      await log.append([record('k', 'before')]);
      const reconnect = await underTest.disconnect(log);
      const startedAt = performance.now();
      const outcomes = await Promise.allSettled(
        numbers(20).map((index) => log.append([record('k', `during ${index}`)])),
      );
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures) expect(failure.reason).toMatchObject({ code: 'UNAVAILABLE' });
      await expect(log.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      const backAt = performance.now();
      log = await reconnect();
      await untilAppended(log, record('k', 'after'));
      expect(performance.now() - backAt).toBeLessThan(10_000);
      const read = await readCount(log, 'g', total(await log.end()));
      const values = read.map(({ value }) => value.toString());
      expect(values).toContain('before');
      expect(values).toContain('after');
      await log.check();
    });

    it('reports UNAVAILABLE after closing, and can be closed twice', async () => {
      await log.close();
      await log.close();
      await expect(log.append([record('k', 'x')])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(log.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });
}

function record(key: string, text: string, headers: Record<string, string> = {}): LogRecord {
  return { key, value: Buffer.from(text), headers };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Key, bytes and headers as plain comparable values. */
function content({ key, value, headers }: LogRecord) {
  return { key, value: value.toString('base64'), headers: Object.entries(headers).sort() };
}

function sorted<T extends LogRecord>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function byKey(records: readonly LogRecord[]): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { key, value } of records)
    values.set(key, [...(values.get(key) ?? []), Number(value.toString())]);
  return values;
}

function total(position: LogPosition): number {
  return [...position.values()].reduce((sum, offset) => sum + offset, 0);
}

interface CollectOptions extends Partial<Omit<ReadOptions, 'onBatch'>> {
  readonly group: string;
  readonly before?: (batch: readonly ConsumedRecord[]) => void | Promise<void>;
}

async function startCollecting(
  log: EventLog,
  { before, ...options }: CollectOptions,
): Promise<{ consumer: Consumer; received: ConsumedRecord[] }> {
  const received: ConsumedRecord[] = [];
  const onBatch = async (batch: readonly ConsumedRecord[]) => {
    await before?.(batch);
    received.push(...batch);
  };
  const consumer = await log.read({
    maxRecords: 1000,
    maxBytes: 8_000_000,
    lingerMs: 0,
    ...options,
    onBatch,
  });
  return { consumer, received };
}

/** Reads for the group until it has this many records, then stops. */
async function readCount(log: EventLog, group: string, count: number): Promise<ConsumedRecord[]> {
  const { consumer, received } = await startCollecting(log, { group });
  await waitFor('the condition holds', () => received.length >= count);
  await consumer.stop();
  expect(received).toHaveLength(count);
  return received;
}

/** Appends records of one key and reads them for the group. Returns their partition. */
async function appendAndRead(log: EventLog, group: string, count: number): Promise<number> {
  await log.append(numbers(count).map((index) => record('k', String(index))));
  const [first] = await readCount(log, group, count);
  return first?.partition ?? -1;
}

async function untilAppended(log: EventLog, one: LogRecord): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return await log.append([one]);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

function signal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/**
 * Runs the child until it has acknowledged this many records, kills it, and returns all acknowledged records.
 */
async function appendUntilKilled(forChild: LogUnderTest['forChild'], count: number): Promise<string[]> {
  const program = join(__dirname, 'append-until-killed.cjs');
  const child = spawn(process.execPath, [program, JSON.stringify(forChild)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  await exited;
  expect(acknowledged.length).toBeGreaterThanOrEqual(count);
  return acknowledged;
}

/** Returns a unique topic prefix. */
export function freshName(): string {
  return `t${randomUUID().slice(0, 8)}-`;
}
