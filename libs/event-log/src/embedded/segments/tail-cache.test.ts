import { runSync } from '@assay/runtime';
import type { ConsumedRecord, LogRecord } from '../../event-log.js';
import { BATCH_BYTES, decodeBatch } from './batch.js';
import { encodeGroupSteps, type EncodedBatch } from './encode-group.js';
import { TailCache } from './tail-cache.js';

const HEADERS = { project: 'p', kind: 'event' };
const recordOf = (key: string, bytes = 100, headers: LogRecord['headers'] = HEADERS): LogRecord => ({
  ...{ key, headers },
  value: Buffer.alloc(bytes, key),
});
const encoded = (records: readonly LogRecord[], firstOffset: number) =>
  runSync(encodeGroupSteps(records, { salt: Buffer.alloc(8), firstOffset, appendedAt: 17, syncedLength: 0 }));
const offsetsOf = (records: readonly ConsumedRecord[] | undefined) => records?.map(({ offset }) => offset);

/** The records as a consumer that is behind reads them. */
function decoded(batches: readonly EncodedBatch[]): ConsumedRecord[] {
  const records: ConsumedRecord[] = [];
  for (const batch of batches) decodeBatch(Buffer.concat([...batch.buffers]), batch, records);
  return records;
}

describe('TailCache', () => {
  it('returns the records that decoding the written bytes returns, whatever their keys and headers', () => {
    const records = [
      recordOf('plain'),
      recordOf('größe 🙂', 0),
      recordOf('lone \ud800 surrogate', 7, { text: '\udc00"' }),
      recordOf('', 5_000, {}),
    ];
    const batches = encoded(records, 40);
    const cache = new TailCache(1_000_000);
    cache.add(batches);
    expect(cache.read(40)).toStrictEqual(decoded(batches));
  });

  it('keeps the bytes that were written when the caller overwrites the appended value', () => {
    const record = recordOf('a', 10);
    const cache = new TailCache(1_000_000);
    cache.add(encoded([record], 0));
    record.value.fill('b');
    expect(cache.read(0)?.[0]?.value.toString()).toBe('aaaaaaaaaa');
  });

  it('reads on from any record, over the borders of groups, and not beyond a record that it does not hold', () => {
    const cache = new TailCache(10 * BATCH_BYTES);
    cache.add(encoded([recordOf('a'), recordOf('b'), recordOf('c')], 10));
    cache.add(encoded([recordOf('d')], 13));
    cache.add(encoded([recordOf('large', BATCH_BYTES)], 14));
    cache.add(encoded([recordOf('e')], 15));
    expect(offsetsOf(cache.read(11))).toStrictEqual([11, 12, 13]);
    expect([9, 14, 16].map((offset) => cache.read(offset))).toStrictEqual([undefined, undefined, undefined]);
    expect(offsetsOf(cache.read(15))).toStrictEqual([15]);
  });

  it('drops what every consumer has read, and the oldest batches beyond its bound', () => {
    const cache = new TailCache(4_000);
    for (let offset = 0; offset < 4; offset += 2) cache.add(encoded([recordOf('a'), recordOf('b')], offset));
    cache.dropBefore(3);
    expect([cache.read(1), offsetsOf(cache.read(2))]).toStrictEqual([undefined, [2, 3]]);
    cache.add(encoded([recordOf('large', 3_900)], 4));
    expect([cache.read(2), offsetsOf(cache.read(4))]).toStrictEqual([undefined, [4]]);
  });
});
