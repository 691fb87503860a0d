import { SpecialBytes } from '@assay/domain';

/** Longest text that is written without a native call: the call costs more than this many characters. */
const SHORT_TEXT = 24;
const MAX_UTF8_PER_UNIT = 3;
const MAX_VARINT_BYTES = 5;
/** A buffer that has grown beyond this is replaced when it is emptied. */
const MAX_KEPT_BYTES = 1024 * 1024;
const INITIAL_BYTES = 16 * 1024;

/** Longer texts are rare, and room for them is not reserved in advance. */
const MAX_JSON_STRING = 64 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What `JSON.stringify` writes behind a backslash, by the byte that it stands for; 0 for all others. */
const ESCAPES = new Uint8Array(256);
for (const [character, escape] of ['""', '\\\\', '\bb', '\ff', '\nn', '\rr', '\tt'])
  ESCAPES[character?.charCodeAt(0) ?? 0] = escape?.charCodeAt(0) ?? 0;
/** U+FFFD, also what an unpaired surrogate becomes. */
const REPLACEMENT = Buffer.from('\ufffd');

/** 1 for the ASCII characters that JSON text contains unchanged. */
const PLAIN = new Uint8Array(128).fill(1, 0x20);
PLAIN[0x22] = 0;
PLAIN[0x5c] = 0;

/** Bytes that are written and then copied into a row. */
export class ByteWriter {
  bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  at = 0;
  private special = new SpecialBytes(this.bytes);

  clear(): void {
    this.at = 0;
    if (this.bytes.length > MAX_KEPT_BYTES) this.replace(Buffer.allocUnsafeSlow(INITIAL_BYTES));
  }

  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.at + count));
    this.bytes.copy(grown, 0, 0, this.at);
    this.replace(grown);
  }

  private replace(bytes: Buffer): void {
    this.bytes = bytes;
    this.special = new SpecialBytes(bytes);
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

  /**
   * Writes a text as a JSON string; returns false and writes nothing when it is very long, needs an escape with a code,
   * or may have an unpaired surrogate.
   */
  jsonString(text: string): boolean {
    const { length } = text;
    if (length > MAX_JSON_STRING) return false;
    // Enough for all escapes, too: only characters of one byte have them.
    this.reserve(2 + length * MAX_UTF8_PER_UNIT);
    const from = this.at + 1;
    const end = from + this.bytes.write(text, from);
    if (end - from !== length && this.bytes.subarray(from, end).includes(REPLACEMENT)) return false;
    const first = this.special.next(from, end);
    return first < end ? this.escaped(first, end) : this.quoted(end);
  }

  /** Ends a string of which the bytes are written, but not counted. */
  private quoted(end: number): boolean {
    this.bytes[this.at] = QUOTE;
    this.bytes[end] = QUOTE;
    this.at = end + 1;
    return true;
  }

  /** Writes the bytes from `start` to `end`, which are those of a string, again with escapes. */
  private escaped(start: number, end: number): boolean {
    const plain = Buffer.from(this.bytes.subarray(start, end));
    const { bytes } = this;
    const special = new SpecialBytes(plain);
    let at = start;
    for (let from = 0; ; from++) {
      const next = special.next(from);
      at += plain.copy(bytes, at, from, next);
      from = next;
      if (next === plain.length) return this.quoted(at);
      const escape = ESCAPES[plain[next] ?? 0] ?? 0;
      if (escape === 0) return false;
      bytes[at++] = BACKSLASH;
      bytes[at++] = escape;
    }
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
