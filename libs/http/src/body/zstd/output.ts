const MIN_CAPACITY = 65_536;

/** The decoded bytes of a body, one after the other, so that a match of any distance is found in them. */
export class ZstdOutput {
  bytes = new Uint8Array(0);
  length = 0;
  /** Where the current frame begins: matches do not reach before it. */
  frameStart = 0;

  /** @param onAdded called with the number of bytes after each block; throwing stops the decoder */
  constructor(private readonly onAdded: (count: number) => void) {}

  /** Makes room for more bytes. Grows by half, so that the last copy is not much larger than the body. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, Math.ceil(this.bytes.length * 1.5), MIN_CAPACITY));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** Declares that so many bytes were written after the length. */
  add(count: number): void {
    this.length += count;
    this.onAdded(count);
  }

  /** Returns what was decoded. */
  result(): Buffer {
    return Buffer.from(this.bytes.buffer, 0, this.length);
  }
}
