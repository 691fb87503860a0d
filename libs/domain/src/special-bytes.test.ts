import fc from 'fast-check';
import { SpecialBytes } from './special-bytes.js';

function plainly(bytes: Buffer, start: number): number {
  const found = bytes.findIndex(
    (byte, index) => index >= start && (byte < 0x20 || byte === 0x22 || byte === 0x5c),
  );
  return found < 0 ? bytes.length : found;
}

describe('special bytes of a literal', () => {
  it.each(Array.from({ length: 256 }, (_, byte) => byte))('are found at every position: %i', (byte) => {
    for (let at = 0; at < 40; at++) {
      const whole = Buffer.alloc(64, byte === 0x61 ? 0x62 : 0x61);
      const bytes = whole.subarray(at % 5, 50);
      bytes[at] = byte;
      expect(new SpecialBytes(bytes).next(0)).toBe(plainly(bytes, 0));
    }
  });

  it('behind the end are not read', () => {
    const bytes = Buffer.alloc(4_000_000, 'x');
    const special = new SpecialBytes(bytes);
    const read: number[] = [];
    for (let at = 0; at < 99_000; at++) if (special.next(at, at + 40) !== at + 40) read.push(at);
    expect(read).toEqual([]);
    bytes[45] = 0x22;
    expect([special.next(3, 45), special.next(3, 46), special.next(46)]).toEqual([45, 45, bytes.length]);
  });

  it('are those that a search by byte finds in random bytes', () => {
    const often = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 0x5d, max: 0xff }) }, fc.nat(255));
    fc.assert(
      fc.property(fc.array(often, { maxLength: 200 }), fc.nat(7), fc.nat(30), (values, offset, start) => {
        const bytes = Buffer.from(
          new Uint8Array([...new Array<number>(offset).fill(0), ...values]).buffer,
          offset,
        );
        const from = Math.min(start, bytes.length);
        expect(new SpecialBytes(bytes).next(from)).toBe(plainly(bytes, from));
      }),
      { numRuns: 2_000 },
    );
  });
});
