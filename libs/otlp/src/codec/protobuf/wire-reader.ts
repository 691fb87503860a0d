import type { JsonValue } from '@assay/domain';
import { BrokenSpan } from '../broken-span.js';

/** Wire types of the protocol buffers encoding. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/**
 * Cursor over one message. Field loops switch on `tag`, the field number times 8 plus the wire type, so a
 * field with the wrong wire type is an unknown field. Every method throws BrokenSpan when the bytes are
 * truncated or malformed.
 */
export class WireReader {
  /** High half of the last varint or fixed64; the low half is the return value. */
  high = 0;
  /** Last KeyValue read. */
  key = '';
  value: JsonValue = null;
  /** Whether long messages of spans are left as raw text. */
  rawText = false;

  constructor(
    readonly bytes: Buffer,
    public at: number,
    public end: number,
  ) {}

  /** Reads the tag of the next field; 0 at the end. */
  nextTag(): number {
    if (this.at >= this.end) return 0;
    const tag = this.varint();
    if (tag >>> 3 === 0 || this.high !== 0) throw malformed();
    return tag;
  }

  /** Reads up to 10 bytes; returns the low 32 bits and stores the high bits in `high`. */
  varint(): number {
    const { bytes } = this;
    this.high = 0;
    const first = this.at < this.end ? (bytes[this.at] as number) : 0x80;
    if (first < 0x80) {
      this.at++;
      return first;
    }
    return this.longVarint();
  }

  private longVarint(): number {
    let low = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw malformed();
      const byte = this.bytes[this.at++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        this.high = bits >>> 4;
      } else if (shift < 63) this.high |= bits << (shift - 32);
      else this.high |= bits << 31;
      if (byte < 0x80) {
        this.high >>>= 0;
        return low >>> 0;
      }
    }
    throw malformed();
  }

  /** Reads the length prefix of a field and returns its end. */
  lengthEnd(): number {
    const length = this.varint();
    if (this.high !== 0 || length > this.end - this.at) throw malformed();
    return this.at + length;
  }

  fixed32(): number {
    if (this.end - this.at < 4) throw malformed();
    const value = this.bytes.readUInt32LE(this.at);
    this.at += 4;
    return value;
  }

  /** Returns the low half and stores the high half in `high`. */
  fixed64(): number {
    const low = this.fixed32();
    this.high = this.fixed32();
    return low;
  }

  double(): number {
    if (this.end - this.at < 8) throw malformed();
    const value = this.bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  hex(): string {
    const end = this.lengthEnd();
    const text = this.bytes.toString('hex', this.at, end);
    this.at = end;
    return text;
  }

  base64(): string {
    const end = this.lengthEnd();
    const text = this.bytes.toString('base64', this.at, end);
    this.at = end;
    return text;
  }

  /** Skips a field of any wire type; groups, which no OTLP encoder writes, are malformed. */
  skip(tag: number): void {
    switch (tag & 7) {
      case VARINT:
        this.varint();
        return;
      case FIXED64:
        this.advance(8);
        return;
      case BYTES:
        this.at = this.lengthEnd();
        return;
      case FIXED32:
        this.advance(4);
        return;
      default:
        throw malformed();
    }
  }

  private advance(count: number): void {
    if (count > this.end - this.at) throw malformed();
    this.at += count;
  }
}

export function malformed(): BrokenSpan {
  return new BrokenSpan('truncated or malformed protobuf');
}
