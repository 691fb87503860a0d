/** Bytes from `from`, up to but not including `to`. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A body of known length that is read while it is sent. */
export class ByteContent {
  constructor(
    readonly contentType: string,
    readonly range: ByteRange,
    /** Reads bytes of the whole, in order. What it throws breaks the response off. */
    readonly read: (range: ByteRange) => AsyncIterable<Buffer>,
  ) {}

  get length(): number {
    return this.range.to - this.range.from;
  }
}
