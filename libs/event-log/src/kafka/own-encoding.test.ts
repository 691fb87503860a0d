import { createRequire } from 'node:module';
import fc from 'fast-check';
import { ProducePayload, type ProduceData } from './produce-payload.js';
import { useOwnEncoding } from './own-encoding.js';

interface Request {
  readonly apiVersion: number;
  encode(): Promise<{ readonly buffer: Buffer }>;
}

const load = createRequire(__filename);
const encodeAsKafkajs = load('kafkajs/src/protocol/requests/produce/v7/request') as (args: object) => Request;
const produce = load('kafkajs/src/protocol/requests/produce') as { protocol(version: object): (args: object) => { request: Request } };
const createRequest = load('kafkajs/src/protocol/request') as (parts: object) => Promise<{ buffer: Buffer }>;

const NOW = 1_795_000_000_123;
const none = { transactionalId: undefined, producerId: -1, producerEpoch: 0, compression: undefined };
const message = fc.record({
  key: fc.string({ unit: 'grapheme', maxLength: 80 }),
  value: fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes)),
  headers: fc.dictionary(
    fc.string({ minLength: 1 }).map((name) => `n${name}`),
    fc.string({ unit: 'grapheme' }),
  ),
});
const data = fc.record({
  acks: fc.constant(-1),
  timeout: fc.nat(),
  topicData: fc.array(
    fc.record({
      topic: fc.string({ minLength: 1, maxLength: 30 }),
      partitions: fc.array(fc.record({ partition: fc.nat(99), messages: fc.array(message, { minLength: 1, maxLength: 90 }) }), {
        maxLength: 4,
      }),
    }),
    { maxLength: 3 },
  ),
});

describe('a produce request', () => {
  beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('has byte for byte the body that kafkajs writes', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (one: ProduceData) => {
        const expected = (await encodeAsKafkajs({ ...none, ...one }).encode()).buffer;
        const payload = new ProducePayload(one, NOW);
        expect(payload.size()).toBe(expected.length);
        expect(payload.buffer.equals(expected)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  const asSent = async (args: object) => {
    const { request } = produce.protocol({ version: 7 })(args);
    return (await createRequest({ correlationId: 7, clientId: 'assay-ingestion', request })).buffer;
  };
  const plain = {
    ...none,
    acks: -1,
    timeout: 2_300,
    topicData: [
      { topic: 'events', partitions: [{ partition: 2, messages: [{ key: 'é', value: Buffer.from('v'), headers: { a: 'b' } }] }] },
    ],
  };
  const withMessage = (changed: object) => ({
    ...plain,
    topicData: [
      { topic: 'events', partitions: [{ partition: 2, messages: [{ key: 'k', value: Buffer.from('v'), headers: {}, ...changed }] }] },
    ],
  });

  it.each([
    ['of plain messages', plain],
    ['that is compressed', { ...plain, compression: 1 }],
    ['of an idempotent producer', { ...plain, producerId: 12 }],
    ['without a key', withMessage({ key: null })],
    ['without a value', withMessage({ value: null })],
    ['with a header of bytes', withMessage({ headers: { a: Buffer.from([255]) } })],
    ['with a time of its own', withMessage({ timestamp: '1700000000000' })],
  ])('%s is sent as kafkajs sends it', async (_, args) => {
    const request = encodeAsKafkajs(args);
    const expected = (await createRequest({ correlationId: 7, clientId: 'assay-ingestion', request })).buffer;
    useOwnEncoding();
    useOwnEncoding();
    expect((await asSent(args)).equals(expected)).toBe(true);
  });
});
