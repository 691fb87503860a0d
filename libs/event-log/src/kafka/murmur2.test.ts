import { murmur2, partitionOf } from './murmur2.js';

describe('murmur2 and partitionOf', () => {
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s like the clients of Kafka', (key, hash) => {
    expect(murmur2(key)).toBe(hash);
  });

  it('distribute keys evenly over all partitions', () => {
    const counts = new Array<number>(12).fill(0);
    for (let index = 0; index < 12_000; index += 1) {
      const partition = partitionOf(`key-${index}-ü`, 12);
      counts[partition] = (counts[partition] ?? Number.NaN) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });
});
