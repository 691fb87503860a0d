import { createRequire } from 'node:module';
import fc from 'fast-check';
import type { LogRecord } from '../event-log.js';
import { BatchMessage } from './batch-message.js';
import { patchProduceEncoder } from './kafkajs-produce-patch.js';
import { toWireHeaders } from './wire-headers.js';

interface Request {
  readonly apiVersion: number;
  encode(): Promise<{ readonly buffer: Buffer }>;
}

interface Response {
  decode(bytes: Buffer): Promise<unknown>;
}

const load = createRequire(__filename);
const encodeAsKafkajs = load('kafkajs/src/protocol/requests/produce/v7/request') as (args: object) => Request;
const produce = load('kafkajs/src/protocol/requests/produce') as {
  protocol(version: object): (args: object) => { request: Request; response: Response };
};
const createRequest = load('kafkajs/src/protocol/request') as (parts: object) => Promise<{ buffer: Buffer }>;

const NOW = 1_795_000_000_123;
const none = { transactionalId: undefined, producerId: -1, producerEpoch: 0, compression: undefined };
const record = fc.record({
  key: fc.string({ unit: 'grapheme', maxLength: 80 }),
  value: fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes)),
  headers: fc
    .dictionary(fc.string(), fc.string({ unit: 'grapheme' }))
    .map((headers) => Object.freeze(headers)),
});
const partition = fc.record({
  partition: fc.nat(99),
  records: fc.array(record, { minLength: 1, maxLength: 90 }),
});
const request = fc.record({
  acks: fc.constant(-1),
  timeout: fc.nat(),
  topics: fc.array(
    fc.record({
      topic: fc.string({ minLength: 1, maxLength: 30 }),
      partitions: fc.array(partition, { maxLength: 4 }),
    }),
    {
      maxLength: 3,
    },
  ),
});
type Case = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** Returns the request with the messages that `messages` makes of the records of each partition. */
function withMessages<T>(
  { acks, timeout, topics }: Case,
  messages: (partition: number, records: LogRecord[]) => T,
) {
  const topicData = topics.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((one) => ({
      partition: one.partition,
      messages: messages(one.partition, one.records),
    })),
  }));
  return { ...none, acks, timeout, topicData };
}

const asBatch = (to: number, records: LogRecord[]): [BatchMessage] => [new BatchMessage(to, records)];
const oneByOne = (_: number, records: LogRecord[]) =>
  records.map(({ key, value, headers }) => ({ key, value, headers: toWireHeaders(headers) }));

/** A response without topics: their number and the throttling time. */
const NO_TOPICS = Buffer.alloc(8);

describe('a produce request', () => {
  beforeEach(() =>
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }),
  );
  afterEach(() => jest.useRealTimers());

  const framed = async (unframed: Request) =>
    (await createRequest({ correlationId: 7, clientId: 'assay-ingestion', request: unframed })).buffer;
  const encoded = (args: object, version = 7) => framed(produce.protocol({ version })(args).request);

  it('of batches equals, byte for byte, what kafkajs encodes for their records', async () => {
    patchProduceEncoder();
    patchProduceEncoder();
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const expected = await framed(encodeAsKafkajs(withMessages(one, oneByOne)));
        expect((await encoded(withMessages(one, asBatch))).equals(expected)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['with a key', { key: 'k' }],
    ['without a value', { value: null }],
    ['with headers', { headers: { a: Buffer.from([255]) } }],
  ])('of other messages, %s, is encoded by kafkajs', async (_, message) => {
    const messages = [{ value: Buffer.from('v'), ...message }];
    const args = {
      ...none,
      acks: -1,
      timeout: 1,
      topicData: [{ topic: 't', partitions: [{ partition: 0, messages }] }],
    };
    const expected = await framed(encodeAsKafkajs(args));
    patchProduceEncoder();
    expect((await encoded(args)).equals(expected)).toBe(true);
  });

  it('of batches takes its memory from one that was answered, and from no other', async () => {
    patchProduceEncoder();
    const sent = async (value: string) => {
      const records = [{ key: 'k', value: Buffer.from(value), headers: {} }];
      const args = withMessages(
        { acks: -1, timeout: 1, topics: [{ topic: 't', partitions: [{ partition: 0, records }] }] },
        asBatch,
      );
      const { request: unframed, response } = produce.protocol({ version: 7 })(args);
      return { bytes: await framed(unframed), answer: () => response.decode(NO_TOPICS) };
    };
    const first = await sent('first');
    const second = await sent('second');
    expect(second.bytes.buffer).not.toBe(first.bytes.buffer);
    await first.answer();
    const third = await sent('third');
    expect(third.bytes.buffer).toBe(first.bytes.buffer);
    expect(third.bytes.includes('third') && second.bytes.includes('second')).toBe(true);
    expect((await sent('fourth')).bytes.buffer).not.toBe(second.bytes.buffer);
  });

  it('of batches is rejected for brokers that do not support record batches', () => {
    patchProduceEncoder();
    const one: Case = {
      acks: -1,
      timeout: 1,
      topics: [{ topic: 't', partitions: [{ partition: 0, records: [] }] }],
    };
    expect(() => produce.protocol({ version: 2 })(withMessages(one, asBatch))).toThrow(
      'the broker is too old',
    );
  });
});
