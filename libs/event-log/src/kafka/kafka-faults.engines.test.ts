import { type FaultProxy, silentLogger, startFaultProxy, waitFor } from '@assay/testing';
import { CompressionCodecs, CompressionTypes, Kafka, logLevel } from 'kafkajs';
import type { EventLog, LogRecord, ConsumedRecord, ReadOptions } from '../event-log.js';
import { freshName } from '../../test/event-log-contract.js';
import { openKafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.js';

const broker = (process.env.KAFKA_BROKERS ?? '').split(',')[0] ?? '';

describe('the Kafka event log behind a faulty network', () => {
  let proxy: FaultProxy;
  let topicPrefix: string;
  const logs: EventLog[] = [];

  beforeEach(async () => {
    proxy = await startFaultProxy(broker);
    topicPrefix = freshName();
  });

  afterEach(async () => {
    proxy.become('none');
    await Promise.all(logs.splice(0).map((log) => log.close()));
    await proxy.close();
  });

  const open = async (options: Partial<KafkaEventLogOptions> = {}) => {
    const address = { brokers: [proxy.address], addresses: { [broker]: proxy.address } };
    const log = await openKafkaEventLog({
      ...address,
      topicPrefix,
      partitions: 3,
      replicationFactor: 1,
      logger: silentLogger,
      onCrash: () => undefined,
      ...options,
    });
    logs.push(log);
    return log;
  };

  it('resumes reading after its brokers were unreachable', async () => {
    const log = await open();
    const received = await collect(log);
    await log.append([record('before')]);
    await waitFor('the condition holds', () => received.length === 1);
    proxy.become('cut');
    await expect(log.append([record('during')])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    proxy.become('none');
    await untilAppended(log, record('after'));
    await waitFor('the condition holds', () => texts(received).includes('after'));
  });

  it('reports UNAVAILABLE when the response is lost, although the record may be written', async () => {
    const log = await open();
    await log.append([record('before')]);
    proxy.become('drop-responses');
    const startedAt = performance.now();
    await expect(log.append([record('written')])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    proxy.become('none');
    const received = await collect(log);
    await untilAppended(log, record('after'));
    await waitFor(
      'the condition holds',
      () => texts(received).includes('after') && texts(received).includes('written'),
    );
  });

  it('appends immediately after a connection was cut', async () => {
    const log = await open();
    await log.append([record('a')]);
    proxy.cutOnce();
    const startedAt = performance.now();
    await untilAppended(log, record('b'));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('fails to open while no broker responds', async () => {
    proxy.become('cut');
    await expect(open()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('creates its topics once when two processes start concurrently', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    await one.append([record('from one')]);
    await two.append([record('from two')]);
    expect(total(await two.end())).toBe(2);
    expect((await two.end()).size).toBe(3);
  });

  it('shares the partitions among the members of a group and loses nothing when one leaves', async () => {
    const one = await open();
    const two = await open();
    const fromOne = await collect(one, { lingerMs: 50 });
    const assigned: number[] = [];
    const fromTwo = await collect(two, {
      lingerMs: 50,
      onAssigned: (partitions) => void assigned.push(partitions.length),
    });
    await waitFor('the condition holds', () => assigned.some((count) => count > 0));
    const keys = Array.from({ length: 300 }, (_, index) => record(`key ${index}`));
    await one.append(keys.slice(0, 150));
    await waitFor('the condition holds', () => fromOne.length > 0 && fromTwo.length > 0);
    await two.close();
    await one.append(keys.slice(150));
    await waitFor('the condition holds', () => new Set(texts([...fromOne, ...fromTwo])).size === 300);
    await waitFor('the condition holds', async () => total(await one.position('g')) === 300);
  });

  it('delivers a batch again after its handler rejected with any error', async () => {
    const crashes: Error[] = [];
    const log = await open({ onCrash: (error) => void crashes.push(error) });
    const failures = [new TypeError('a'), new RangeError('b')];
    await log.append([record('x')]);
    const received = await collect(log, {
      onBatch: () => {
        const failure = failures.shift();
        return failure === undefined ? Promise.resolve() : Promise.reject(failure);
      },
    });
    await waitFor('the condition holds', () => received.length === 1);
    await waitFor('the condition holds', async () => total(await log.position('g')) === 1);
    expect(crashes).toEqual([]);
  });

  it('makes progress while a handler runs, and counts from its end when it then fetches nothing', async () => {
    const log = await open();
    await log.append([record('slow')]);
    let startedAt = Number.POSITIVE_INFINITY;
    let end = (): void => undefined;
    const consumer = await log.read({
      group: 'g',
      maxRecords: 10,
      maxBytes: 1 << 20,
      lingerMs: 0,
      onBatch: () => {
        startedAt = performance.now();
        return new Promise((resolve) => (end = resolve));
      },
    });
    await waitFor('the handler has run for two seconds', () => performance.now() - startedAt > 2_000);
    expect(consumer.idleMs()).toBe(0);
    end();
    await waitFor('the batch is committed', async () => total(await log.position('g')) === 1);
    expect(consumer.idleMs()).toBeLessThan(2_000);
  });

  it('reads a message of another producer as a record without headers', async () => {
    const log = await open();
    await produceDirectly(`${topicPrefix}events`, { value: 'foreign', headers: { headers: 'not json' } });
    const received = await collect(log);
    await waitFor('the condition holds', () => received.length === 1);
    expect(received[0]).toMatchObject({ key: '', headers: {} });
  });

  it('reports a permanent failure of the client', async () => {
    const crashes: Error[] = [];
    const log = await open({ onCrash: (error) => void crashes.push(error) });
    await produceDirectly(`${topicPrefix}events`, { value: 'compressed' }, CompressionTypes.GZIP);
    // As with a codec that is not installed: the same bytes fail each time.
    const gzip = CompressionCodecs[CompressionTypes.GZIP];
    CompressionCodecs[CompressionTypes.GZIP] = () => ({
      compress: () => Promise.reject(new TypeError('no such codec')),
      decompress: () => Promise.reject(new TypeError('no such codec')),
    });
    try {
      await collect(log);
      await waitFor('the condition holds', () => crashes.length === 1);
    } finally {
      CompressionCodecs[CompressionTypes.GZIP] = gzip;
    }
  });
});

function record(text: string): LogRecord {
  return { key: text, value: Buffer.from(text), headers: {} };
}

function texts(records: readonly ConsumedRecord[]): string[] {
  return records.map(({ value }) => value.toString());
}

function total(position: ReadonlyMap<number, number>): number {
  return [...position.values()].reduce((sum, offset) => sum + offset, 0);
}

async function collect(log: EventLog, options: Partial<ReadOptions> = {}): Promise<ConsumedRecord[]> {
  const received: ConsumedRecord[] = [];
  const onBatch: ReadOptions['onBatch'] = async (batch, notes) => {
    await options.onBatch?.(batch, notes);
    received.push(...batch);
  };
  await log.read({ group: 'g', maxRecords: 1000, maxBytes: 8_000_000, lingerMs: 0, ...options, onBatch });
  return received;
}

async function produceDirectly(
  topic: string,
  message: { value: string; headers?: Record<string, string> },
  compression?: CompressionTypes,
): Promise<void> {
  const producer = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).producer({
    createPartitioner: () => () => 0,
  });
  await producer.connect();
  await producer.send({ topic, messages: [message], compression });
  await producer.disconnect();
}

async function untilAppended(log: EventLog, one: LogRecord): Promise<void> {
  await waitFor('the condition holds', () =>
    log.append([one]).then(
      () => true,
      () => false,
    ),
  );
}
