/** Longest text that is written without a native call: the call costs more than this many characters. */
const SHORT_TEXT = 24;
const MAX_UTF8_PER_UNIT = 3;
const MAX_VARINT_BYTES = 5;
/** A buffer that has grown beyond this is replaced when it is emptied. */
const MAX_KEPT_BYTES = 1024 * 1024;
const INITIAL_BYTES = 16 * 1024;

/** 1 for the ASCII characters that JSON text contains unchanged. */
const PLAIN = new Uint8Array(128).fill(1, 0x20);
PLAIN[0x22] = 0;
PLAIN[0x5c] = 0;

/** Bytes that are written and then copied into a row. */
export class ByteWriter {
  bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  at = 0;

  clear(): void {
    this.at = 0;
    if (this.bytes.length > MAX_KEPT_BYTES) this.bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.at + count));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  copy(source: Uint8Array): void {
    this.reserve(source.length);
    if (source.length > SHORT_TEXT) this.bytes.set(source, this.at);
    else for (let index = 0; index < source.length; index++) this.bytes[this.at + index] = source[index] ?? 0;
    this.at += source.length;
  }

  /** Copies a part of the bytes of another writer. */
  copyFrom(other: ByteWriter, from: number, to: number): void {
    this.reserve(to - from);
    if (to - from > SHORT_TEXT) other.bytes.copy(this.bytes, this.at, from, to);
    else
      for (let index = from; index < to; index++)
        this.bytes[this.at + index - from] = other.bytes[index] ?? 0;
    this.at += to - from;
  }

  varint(value: number): void {
    this.reserve(MAX_VARINT_BYTES);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.bytes[this.at++] = (rest & 0x7f) | 0x80;
    this.bytes[this.at++] = rest;
  }

  float64(value: number): void {
    this.reserve(8);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  /** UTF-8 of a text without NUL and unpaired surrogates, behind its length. */
  text(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.varint(bytes);
    this.utf8(text);
  }

  /** UTF-8 of a text without unpaired surrogates. */
  utf8(text: string): void {
    this.reserve(text.length > 1024 ? Buffer.byteLength(text) : text.length * MAX_UTF8_PER_UNIT);
    this.at += this.bytes.write(text, this.at);
  }

  /**
   * Writes a short text as a JSON string when that is the text between quotes; returns false and writes nothing
   * otherwise.
   */
  plainString(text: string): boolean {
    const { length } = text;
    if (length > 2 * SHORT_TEXT) return false;
    this.reserve(length + 2);
    const { bytes } = this;
    const from = this.at + 1;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f || PLAIN[unit] === 0) return false;
      bytes[from + index] = unit;
    }
    bytes[from - 1] = 0x22;
    bytes[from + length] = 0x22;
    this.at = from + length + 1;
    return true;
  }

  /** Decimal digits of a whole number from 0 to 2^31 - 1. */
  digits(value: number): void {
    this.reserve(10);
    let end = this.at + 1;
    for (let rest = value; rest > 9; rest = (rest / 10) | 0) end++;
    this.at = end;
    let rest = value;
    do {
      this.bytes[--end] = 48 + (rest % 10);
      rest = (rest / 10) | 0;
    } while (rest > 0);
  }
}
