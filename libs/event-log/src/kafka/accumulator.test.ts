import { waitFor } from '@assay/testing';
import type { LogRecord } from '../event-log.js';
import { Accumulator, type OutgoingBatch } from './accumulator.js';
import { partitionOf } from './murmur2.js';

const record = (key: string, text = key): LogRecord => ({ key, value: Buffer.from(text), headers: {} });
const megabytes = (count: number): LogRecord => ({
  key: 'k',
  value: Buffer.alloc(count * 1024 * 1024),
  headers: {},
});

/** Requests that the test completes. */
function makeRequests() {
  const open: { end: (failure?: Error) => void }[] = [];
  const sent: LogRecord[][] = [];
  const send = (batches: readonly OutgoingBatch[]) =>
    new Promise<void>((resolve, reject) => {
      sent.push(batches.flatMap(({ records }) => records));
      open.push({ end: (failure) => (failure === undefined ? resolve() : reject(failure)) });
    });
  return { open, sent, send };
}

describe('Accumulator', () => {
  it('sends the records of concurrent appends in one request', async () => {
    const { open, sent, send } = makeRequests();
    const accumulator = new Accumulator({ partitions: 1, send });
    const appends = ['a', 'b', 'c'].map((key) => accumulator.append([record(key)]));
    await waitFor('the condition holds', () => open.length === 1);
    open[0]?.end();
    await Promise.all(appends);
    expect(sent.map((records) => records.map(({ key }) => key))).toEqual([['a', 'b', 'c']]);
  });

  it('groups records by partition, in append order', async () => {
    const batches: OutgoingBatch[] = [];
    const send = (some: readonly OutgoingBatch[]) => Promise.resolve(void batches.push(...some));
    const accumulator = new Accumulator({ partitions: 3, send });
    const records = Array.from({ length: 60 }, (_, index) => record(`key ${index % 20}`, String(index)));
    await Promise.all(records.map((one) => accumulator.append([one])));
    expect(batches.map(({ partition }) => partition).sort()).toEqual([0, 1, 2]);
    for (const { partition, records: some } of batches) {
      expect(some.every(({ key }) => partitionOf(key, 3) === partition)).toBe(true);
      expect(some).toEqual(records.filter((one) => some.includes(one)));
    }
    expect(batches.flatMap(({ records: some }) => some)).toHaveLength(60);
  });

  it('has one request in flight at a time, so that none is overtaken', async () => {
    const { open, sent, send } = makeRequests();
    const accumulator = new Accumulator({ partitions: 1, send });
    const append = accumulator.append(Array.from({ length: 4200 }, (_, index) => record('k', String(index))));
    for (let request = 0; request < 3; request += 1) {
      await waitFor('the condition holds', () => open.length === request + 1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(open).toHaveLength(request + 1);
      open[request]?.end();
    }
    await append;
    expect(sent.map(({ length }) => length)).toEqual([2000, 2000, 200]);
    expect(sent.flat().map(({ value }) => Number(value.toString()))).toEqual(
      Array.from({ length: 4200 }, (_, index) => index),
    );
  });

  it('limits requests to 1 MB and sends a larger record alone', async () => {
    const { sent, send } = makeRequests();
    const accumulator = new Accumulator({
      partitions: 1,
      send: async (batches) => {
        void send(batches);
        return Promise.resolve();
      },
    });
    const small = (): LogRecord => ({ key: 'k', value: Buffer.alloc(400 * 1024), headers: {} });
    await accumulator.append([small(), small(), small(), megabytes(1), small()]);
    expect(sent.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
  });

  it('rejects more than 64 MiB of waiting records without sending any of the call, and accepts more once there is room', async () => {
    const { open, send } = makeRequests();
    const accumulator = new Accumulator({ partitions: 1, send });
    const first = accumulator.append(Array.from({ length: 6 }, () => megabytes(10)));
    expect(() => accumulator.append([megabytes(5)])).toThrow(
      expect.objectContaining({ code: 'OVERLOADED' }) as Error,
    );
    for (let request = 0; request < 6; request += 1) {
      await waitFor('the condition holds', () => open.length === request + 1);
      open[request]?.end();
    }
    await first;
    const second = accumulator.append([megabytes(5)]);
    await waitFor('the condition holds', () => open.length === 7);
    open[6]?.end();
    await second;
  });

  it('fails an append whose request failed, and drops its remaining records', async () => {
    const { open, sent, send } = makeRequests();
    const accumulator = new Accumulator({ partitions: 1, send });
    const failing = accumulator.append(Array.from({ length: 2100 }, () => record('k')));
    await waitFor('the condition holds', () => open.length === 1);
    const other = accumulator.append([record('other')]);
    open[0]?.end(new Error('connection lost'));
    await expect(failing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await waitFor('the condition holds', () => open.length === 2);
    open[1]?.end();
    await other;
    expect(sent[1]?.map(({ key }) => key)).toEqual(['other']);
    await accumulator.idle();
  });
});
