import { CompressionCodecs, CompressionTypes, Kafka, logLevel } from 'kafkajs';
import type { Logger } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { freshName } from '../../test/event-log-contract.js';
import { startRefusingBroker } from '../../test/refusing-broker.js';
import type { ConsumedRecord, EventLog, LogRecord } from '../event-log.js';
import { replayDeadLetters } from '../replay-dead-letters.js';
import { openKafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.js';

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',');
const MiB = 1024 * 1024;
/** What a record may not use of a message: room for the headers of a dead letter, key and framing. */
const RESERVED = 5 * 1024;
const logs: EventLog[] = [];

afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()));
}, 60_000);

async function open(topicPrefix: string, options: Partial<KafkaEventLogOptions> = {}): Promise<EventLog> {
  const log = await openKafkaEventLog({
    brokers,
    topicPrefix,
    partitions: 1,
    replicationFactor: 1,
    logger: silentLogger,
    onCrash: () => undefined,
    ...options,
  });
  logs.push(log);
  return log;
}

/** Bytes that no compression makes smaller, the same for each seed. */
function noise(length: number, seed: number): Buffer {
  let state = seed + 1;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 8;
  return Buffer.from(Array.from({ length }, next));
}

const record = (key: string, value: Buffer): LogRecord => ({ key, value, headers: { name: 'value' } });

async function readAll(log: EventLog, count: number): Promise<ConsumedRecord[]> {
  const received: ConsumedRecord[] = [];
  const onBatch = (batch: readonly ConsumedRecord[]) => Promise.resolve(void received.push(...batch));
  await log.read({ group: freshName(), maxRecords: 1_000, maxBytes: 8 * MiB, lingerMs: 0, onBatch });
  await waitFor('all records are read', () => received.length >= count, { withinMs: 60_000 });
  return received;
}

async function configure(topic: string, settings: Record<string, string>): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  await admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name: topic, configEntries }] });
  await admin.disconnect();
}

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

/** Runs work and returns how many batches were decompressed meanwhile. */
async function decompressed(work: () => Promise<unknown>): Promise<number> {
  const original = CompressionCodecs[CompressionTypes.GZIP];
  const codec = original() as Codec;
  let count = 0;
  CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: (encoder: { readonly buffer: Buffer }) => codec.compress(encoder),
    decompress: (bytes: Buffer) => {
      count += 1;
      return codec.decompress(bytes);
    },
  });
  try {
    await work();
    return count;
  } finally {
    CompressionCodecs[CompressionTypes.GZIP] = original;
  }
}

describe('topics that take messages of 1 MiB', () => {
  const options = { maxMessageBytes: MiB };

  it('take the largest record, keep it as a dead letter, and take it again from there', async () => {
    const log = await open(freshName(), options);
    const largest = record('largest', noise(MiB - RESERVED, 1));
    await log.append([largest]);
    const [read] = await readAll(log, 1);
    expect(read?.value.equals(largest.value)).toBe(true);
    if (read === undefined) throw new Error('nothing was read');
    const reason = { group: 'store', errorClass: 'VALIDATION_ERROR', project: 'p'.repeat(24), epoch: 500 };
    expect(await log.deadLetter(read, reason)).toBe(true);
    expect(await replayDeadLetters(log, 10)).toBe(1);
    const again = await readAll(log, 2);
    expect(again.map(({ value }) => value.equals(largest.value))).toEqual([true, true]);
  }, 120_000);

  it('refuse a larger record, and with it all records of its call', async () => {
    const log = await open(freshName(), options);
    const larger = record('larger', Buffer.alloc(MiB - 4_096));
    await expect(log.append([record('small', Buffer.from('small')), larger])).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'a record is larger than 1044480 bytes',
    });
    expect([...(await log.end()).values()]).toEqual([0]);
  });

  it('take any number of records of one call', async () => {
    const log = await open(freshName(), options);
    const records = Array.from({ length: 40 }, (_, index) => record(`key ${index}`, noise(100_000, index)));
    await log.append(records);
    const read = await readAll(log, 40);
    expect(read.map(({ key }) => key)).toEqual(records.map(({ key }) => key));
  }, 120_000);

  it('do not keep a record of before they were made smaller as a dead letter, and the reader continues', async () => {
    const prefix = freshName();
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (phrase) => void warnings.push(phrase) };
    const log = await open(prefix, { maxMessageBytes: 2 * MiB, logger });
    await log.append([record('large', noise(1.5 * MiB, 1))]);
    await configure(`${prefix}events-dead-letters`, { 'max.message.bytes': String(MiB) });
    const [read] = await readAll(log, 1);
    if (read === undefined) throw new Error('nothing was read');
    expect(await log.deadLetter(read, { group: 'store', errorClass: 'VALIDATION_ERROR' })).toBe(false);
    expect(warnings).toContain('a dead letter is larger than its topic takes');
    expect(await log.deadLetters(10)).toEqual([]);
  }, 120_000);
});

describe('records on the log', () => {
  const texts = Array.from({ length: 30 }, (_, index) =>
    record(`key ${index}`, Buffer.from(`text ${index} `.repeat(2_000))),
  );

  it('are in gzip unless that is turned off, and are read in any mixture', async () => {
    const prefix = freshName();
    // As the release before appends them.
    const before = await open(prefix, { compression: 'none' });
    await before.append(texts.slice(0, 10));
    expect(await decompressed(() => readAll(before, 10))).toBe(0);
    const log = await open(prefix);
    await log.append(texts.slice(10, 20));
    await before.append(texts.slice(20));
    let read: ConsumedRecord[] = [];
    expect(await decompressed(async () => (read = await readAll(log, 30)))).toBeGreaterThan(0);
    expect(read.map(({ key, value }) => [key, value.toString()])).toEqual(
      texts.map(({ key, value }) => [key, value.toString()]),
    );
  }, 120_000);

  it.each(['uncompressed', 'gzip'])(
    'are read from a topic that makes them %s',
    async (type) => {
      const prefix = freshName();
      await (await open(prefix)).close();
      await configure(`${prefix}events`, { 'compression.type': type, 'max.message.bytes': String(16 * MiB) });
      const [log, before] = [await open(prefix), await open(prefix, { compression: 'none' })];
      await log.append(texts.slice(0, 15));
      await before.append(texts.slice(15));
      let read: ConsumedRecord[] = [];
      const count = await decompressed(async () => (read = await readAll(log, 30)));
      expect(count > 0).toBe(type === 'gzip');
      expect(read.map(({ key, value }) => [key, value.toString()])).toEqual(
        texts.map(({ key, value }) => [key, value.toString()]),
      );
    },
    120_000,
  );

  it('are sent uncompressed to brokers that refuse compression, from the first refusal on', async () => {
    const [broker = ''] = brokers;
    const refusing = await startRefusingBroker(broker);
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (phrase) => void warnings.push(phrase) };
    const addresses = { [broker]: refusing.address };
    const log = await open(freshName(), { brokers: [refusing.address], addresses, logger });
    await log.append(texts.slice(0, 10));
    await log.append(texts.slice(10));
    expect(await decompressed(() => readAll(log, 30))).toBe(0);
    expect(refusing.refused()).toBe(1);
    expect(
      warnings.filter((phrase) => phrase.startsWith('the brokers refuse compressed records')),
    ).toHaveLength(1);
    await log.close();
    await refusing.close();
  }, 120_000);
});
