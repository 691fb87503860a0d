/** Bytes of zeros that must follow the bytes of a bit stream, so that a read near its end needs no check. */
export const PADDING = 8;

/** Returns the position of the highest bit that is set; -1 for 0. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

/** Reads up to 16 bits at a position counted from the first bit of the first byte. */
export function bitsAt(bytes: Uint8Array, position: number, count: number): number {
  const at = position >> 3;
  const three = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
  return (three >>> (position & 7)) & ((1 << count) - 1);
}

/**
 * A bit stream that is read from its end to its start, as the entropy coders of zstd write it. The highest bit that is set
 * in the last byte marks its end.
 */
export class ReverseBits {
  /** Bits that are left; negative when more were read than there are. */
  left: number;

  /** @param bytes followed by {@link PADDING} @throws RangeError when the last byte has no mark */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly start: number,
    end: number,
  ) {
    const last = end > start ? (bytes[end - 1] as number) : 0;
    if (last === 0) throw new RangeError('a bit stream has no end');
    this.left = (end - start - 1) * 8 + highestBit(last);
  }

  /** Reads up to 32 bits. Bits before the start are 0. */
  read(count: number): number {
    if (count > 16) return this.read(count - 16) * 65_536 + this.read(16);
    this.left -= count;
    if (this.left >= 0) return bitsAt(this.bytes, this.start * 8 + this.left, count);
    const missing = -this.left;
    return missing >= count ? 0 : bitsAt(this.bytes, this.start * 8, count - missing) << missing;
  }
}
