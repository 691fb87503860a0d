const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** 1 for quotes, backslashes and control characters. */
const SPECIAL = new Uint8Array(256).fill(1, 0, 0x20);
SPECIAL[QUOTE] = 1;
SPECIAL[BACKSLASH] = 1;
/** Looking at words pays from this many bytes without a special one. */
const SHORT = 8;

/** A byte in each place of a word. */
const ONES = 0x01010101;
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const HIGH_BITS = 0x80808080 | 0;

/**
 * Finds the bytes that end or interrupt a string literal of JSON, four bytes at a time.
 * Source: "Bit Twiddling Hacks" by S. E. Anderson, "Determine if a word has a byte less than n".
 */
export class SpecialBytes {
  private readonly words: Int32Array;

  constructor(private readonly bytes: Buffer) {
    const { buffer, byteOffset, length } = bytes;
    this.words = new Int32Array(buffer, 0, (byteOffset + length) >>> 2);
  }

  /**
   * Returns the index of the next quote, backslash or control character from `start`; `end` if there is none before it. Reads no
   * byte behind the end.
   */
  next(start: number, end = this.bytes.length): number {
    const { bytes } = this;
    const { byteOffset } = bytes;
    const near = Math.min(end, start + SHORT + (-(start + byteOffset) & 3));
    let at = start;
    while (at < near && SPECIAL[bytes[at] as number] === 0) at++;
    if (at < near) return at;
    at = Math.max(at, this.nextWord((at + byteOffset) >>> 2, (byteOffset + end) >>> 2) * 4 - byteOffset);
    while (at < end && SPECIAL[bytes[at] as number] === 0) at++;
    return at;
  }

  /** Index of the next word before `length` of which a byte is special. */
  private nextWord(start: number, length: number): number {
    const { words } = this;
    const [ones, spaces, quotes, backslashes, highBits] = [ONES, SPACES, QUOTES, BACKSLASHES, HIGH_BITS];
    let index = start;
    for (; index < length; index++) {
      const word = words[index] as number;
      const found = ((word ^ quotes) - ones) | ((word ^ backslashes) - ones) | (word - spaces);
      if ((found & ~word & highBits) !== 0) break;
    }
    return index;
  }
}
