import { createRequire } from 'node:module';
import { cutFetchResponse, type FetchLimits } from './cut-fetch-response.js';
import { RecordBatch } from './record-batch.js';

interface Decoded {
  readonly responses: readonly {
    readonly partitions: readonly {
      readonly partition: number;
      readonly messages: readonly { readonly value: Buffer }[];
    }[];
  }[];
}

const load = createRequire(__filename);
const decodeBy = (version: number) =>
  (
    load(`kafkajs/src/protocol/requests/fetch/v${version}/response`) as {
      readonly decode: (bytes: Buffer) => Promise<Decoded>;
    }
  ).decode;

const KB = 1_024;
const int16 = (value: number) => bytesOf(2, (bytes) => bytes.writeInt16BE(value));
const int32 = (value: number) => bytesOf(4, (bytes) => bytes.writeInt32BE(value));
const int64 = (value: number) => bytesOf(8, (bytes) => bytes.writeBigInt64BE(BigInt(value)));

function bytesOf(length: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
}

async function batchOf(kilobytes: number, isCompressed: boolean): Promise<Buffer> {
  const batch = new RecordBatch([{ key: 'k', value: Buffer.alloc(kilobytes * KB, 'text '), headers: {} }]);
  if (isCompressed) await batch.compress();
  return bytesOf(batch.byteLength, (bytes) => batch.writeTo(bytes, 0, 1));
}

/** A response with one topic, whose partitions have these records. */
function responseOf(version: number, partitions: readonly Buffer[]): Buffer {
  const partition = (records: Buffer, index: number) => [
    ...[int32(index), int16(0), int64(99), int64(99)],
    ...(version >= 5 ? [int64(0)] : []),
    ...(index === 0 ? [int32(1), int64(7), int64(1)] : [int32(-1)]),
    ...(version >= 11 ? [int32(-1)] : []),
    ...[int32(records.length), records],
  ];
  return Buffer.concat([
    int32(0),
    ...(version >= 7 ? [int16(0), int32(0)] : []),
    ...[int32(1), int16(5), Buffer.from('topic'), int32(partitions.length)],
    ...partitions.flatMap(partition),
  ]);
}

/** Returns the kilobytes of the records of each partition that are left. */
async function left(
  version: number,
  partitions: readonly Buffer[],
  limits: FetchLimits,
): Promise<number[][]> {
  const response = responseOf(version, partitions);
  cutFetchResponse(response, version, limits);
  const { responses } = await decodeBy(version)(response);
  return (responses[0]?.partitions ?? []).map(({ messages }) =>
    messages.map(({ value }) => value.length / KB),
  );
}

const concat = async (sizes: readonly number[], isCompressed = true) =>
  Buffer.concat(await Promise.all(sizes.map((size) => batchOf(size, isCompressed))));
const LIMITS = { partitionBytes: 100 * KB, totalBytes: 150 * KB };

describe.each([4, 5, 7, 11])('a fetch response of version %i', (version) => {
  it('keeps the batches that stay within the limits when they are decompressed', async () => {
    const partitions = [await concat([40, 40, 40]), await concat([40, 40]), await concat([40, 40])];
    expect(await left(version, partitions, LIMITS)).toEqual([[40, 40], [40], [40]]);
  });

  it('keeps the first batch of each partition, whatever its size', async () => {
    const partitions = [await concat([500, 1]), await concat([300, 1]), await concat([5])];
    expect(await left(version, partitions, LIMITS)).toEqual([[500], [300], [5]]);
  });

  it('counts batches of either kind, and keeps a response within the limits unchanged', async () => {
    const mixed = [await concat([50], false), await concat([50]), await concat([1], false)];
    expect(
      await left(version, [Buffer.concat(mixed)], { partitionBytes: 120 * KB, totalBytes: 150 * KB }),
    ).toEqual([[50, 50, 1]]);
    expect(await left(version, [Buffer.concat(mixed)], LIMITS)).toEqual([[50]]);
  });

  it('leaves a batch that the broker has cut off, and partitions without records', async () => {
    const whole = await concat([40, 40]);
    const partitions = [whole.subarray(0, whole.length - 10), Buffer.alloc(0), await concat([5])];
    expect(await left(version, partitions, LIMITS)).toEqual([[40], [], [5]]);
  });

  it.each([-100, -12, 0, 48])('ends at a batch whose length is %i, and changes nothing', async (length) => {
    const records = await concat([5]);
    records.writeInt32BE(length, 8);
    const response = responseOf(version, [records]);
    const before = Buffer.from(response);
    cutFetchResponse(response, version, LIMITS);
    expect(response).toEqual(before);
  });
});
