import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { own, waitFor } from '@assay/testing';
import type { EventLog, LogRecord } from '../src/event-log.js';
import type { LogUnderTest } from './event-log-contract.js';

const WAIT_MS = 30_000;
/** A process that is killed stays a member of its Kafka group until its session ends. */
const KILLS_MS = 200_000;

const recordOf = (value: string): LogRecord => ({ key: 'k', value: Buffer.from(value), headers: {} });

/** The contract of the notes of {@link EventLog}, and of what a consumer loop makes of them, as tests that every adapter passes. */
export function describeNotesContract(name: string, makeLog: () => Promise<LogUnderTest>): void {
  describe(`${name}: the notes of a partition`, () => {
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

    it('are kept until they are replaced, with the position unchanged', async () => {
      await log.append([recordOf('a'), recordOf('b')]);
      const notes: string[] = [];
      const consumer = await log.read({
        ...{ group: 'g', maxRecords: 1, maxBytes: 1_000, lingerMs: 0 },
        onBatch: async (_batch, partition) => {
          if (notes.length > 2) return;
          notes.push(await partition.read());
          for (const note of ['first', 'second']) {
            await partition.write(note);
            notes.push(await partition.read());
          }
          throw new Error('not handled');
        },
      });
      await waitFor('the notes are written', () => notes.length === 3);
      expect(notes).toEqual(['', 'first', 'second']);
      expect([...(await log.position('g')).values()].every((offset) => offset === 0)).toBe(true);
      await consumer.stop();
    });

    it(
      'makes a record a dead letter that has ended the process twice, and handles all others',
      async () => {
        await log.append(['a', 'b', 'fatal', 'c', 'd'].map(recordOf));
        await log.close();
        const untilFatal = (line: string) => line.includes('fatal');
        const first = await handleRecords(underTest.forChild, untilFatal);
        expect(first).toEqual(['["a","b","fatal","c","d"]']);
        const second = await handleRecords(underTest.forChild, untilFatal);
        expect(second).toEqual(['["a"]', '["b"]', '["fatal"]']);
        const third = await handleRecords(underTest.forChild, (line) => line === '["d"]');
        expect(third.filter((line) => line !== '["a"]' && line !== '["b"]')).toEqual([
          '"fatal record"',
          '["c"]',
          '["d"]',
        ]);
        log = await underTest.open();
        const letters = await log.deadLetters(10);
        expect(letters.map(({ value }) => value.toString())).toEqual(['fatal']);
        expect(letters[0]?.reason).toMatchObject({ group: 'handled', errorClass: 'PROCESS_ENDED' });
      },
      KILLS_MS,
    );

    it(
      'makes no record of a large batch fatal but the one that ends the process, which ends it twice',
      async () => {
        const values = Array.from({ length: 300 }, (_, index) => (index === 150 ? 'fatal' : `v${index}`));
        await log.append(values.map(recordOf));
        await log.close();
        const isEnd = (line: string) => line === '"mark fatal"' || line === JSON.stringify(values);
        const first = await handleRecords(underTest.forChild, isEnd);
        expect(first).toEqual([JSON.stringify(values)]);
        const second = await handleRecords(underTest.forChild, isEnd);
        expect(second.filter((line) => line.includes('mark'))).toEqual(
          values.slice(0, 151).map((value) => `"mark ${value}"`),
        );
        const third = await handleRecords(underTest.forChild, (line) => line.endsWith('"v299"]'));
        expect(third.filter((line) => line.includes('fatal'))).toEqual(['"fatal record"']);
        log = await underTest.open();
        const letters = await log.deadLetters(10);
        expect(letters.map(({ value }) => value.toString())).toEqual(['fatal']);
      },
      KILLS_MS,
    );
  });
}

/** Runs the child until it has written a line that ends it, kills it, and returns its lines. */
async function handleRecords(
  forChild: LogUnderTest['forChild'],
  isLast: (line: string) => boolean,
): Promise<string[]> {
  const program = join(__dirname, 'handle-records.cjs');
  const child = own(
    spawn(process.execPath, [program, JSON.stringify(forChild)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (isLast(line)) child.kill('SIGKILL');
  }
  await exited;
  return lines;
}
