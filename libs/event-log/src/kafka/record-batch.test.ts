import { createRequire } from 'node:module';
import type { LogRecord } from '../event-log.js';
import { RecordBatch } from './record-batch.js';

interface DecodedBatch {
  readonly records: readonly { readonly key: Buffer; readonly value: Buffer }[];
}

const load = createRequire(__filename);
const Decoder = load('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => object;
const decodeBatch = load('kafkajs/src/protocol/recordBatch/v0/decoder') as (
  decoder: object,
) => Promise<DecodedBatch>;

const record = (text: string): LogRecord => ({
  key: text.slice(0, 9),
  value: Buffer.from(text),
  headers: {},
});

async function written(batch: RecordBatch): Promise<readonly string[]> {
  const bytes = Buffer.alloc(batch.byteLength);
  batch.writeTo(bytes, 0, 1_795_000_000_123);
  const { records } = await decodeBatch(new Decoder(bytes));
  return records.map(({ value }) => value.toString());
}

describe('a record batch', () => {
  it('in gzip is smaller, and has the same records', async () => {
    const texts = [`${'long text '.repeat(2_000)}`, 'short', '', `${'another long text '.repeat(900)}`];
    const plain = new RecordBatch(texts.map(record));
    const compressed = new RecordBatch(texts.map(record));
    await compressed.compress();
    expect(compressed.byteLength).toBeLessThan(plain.byteLength / 10);
    expect(await written(plain)).toEqual(texts);
    expect(await written(compressed)).toEqual(texts);
  });

  it('stays as it is when it is small, and when gzip would make it larger', async () => {
    const noise = Buffer.from(Array.from({ length: 6_000 }, (_, at) => (at * at * 2_654_435_761) >>> 13));
    for (const value of [Buffer.from('x'.repeat(4_000)), noise]) {
      const records = [{ key: 'k', value, headers: {} }];
      const batch = new RecordBatch(records);
      const before = batch.byteLength;
      await batch.compress();
      expect(batch.byteLength).toBe(before);
    }
  });
});
