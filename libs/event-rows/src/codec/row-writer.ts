import { validationError } from '@assay/errors';
import { UUID_DIGITS } from './uuid-digits.js';

/**
 * Rows are written consecutively into slabs of this size, because a separate buffer costs more than a small
 * row.
 */
const SLAB_BYTES = 256 * 1024;
/** Longest text that is written without a native call: the call costs more than this many characters. */
const SHORT_TEXT = 16;
/** Longest text for which space is reserved without counting its bytes first. */
const LONG_TEXT = 16 * 1024;
const MAX_UTF8_PER_UNIT = 3;
const MAX_VARINT_BYTES = 5;

/**
 * Writes the values of rows in the engine's RowBinary: numbers little endian, texts as UTF-8 behind a LEB128
 * length. NUL and unpaired surrogates become U+FFFD. Finished rows are views of shared memory: copy a row to
 * keep it.
 */
export class RowWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #start = 0;
  #at = 0;

  /** Starts a row. Discards a previous row that was not taken. */
  begin(): void {
    this.#at = this.#start;
  }

  /** The bytes since {@link begin}. */
  take(): Buffer {
    const row = this.#slab.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return row;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#slab[this.#at++] = value;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#at = this.#slab.writeUInt32LE(value, this.#at);
  }

  /** A whole number from 0 to 2^53 as 64 bits. */
  uint64(value: number): void {
    this.#reserve(8);
    this.#at = this.#slab.writeUInt32LE(value % 2 ** 32, this.#at);
    this.#at = this.#slab.writeUInt32LE(Math.floor(value / 2 ** 32), this.#at);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#at = this.#slab.writeDoubleLE(value, this.#at);
  }

  nullableFloat64(value: number | null): void {
    this.uint8(value === null ? 1 : 0);
    if (value !== null) this.float64(value);
  }

  /** @throws AppError `VALIDATION_ERROR` when `text` is no lower-case UUID; `field` names it */
  uuid(text: string, field: string): void {
    this.#reserve(16);
    let seen = isDashed(text) ? 0 : 0xff;
    for (let index = 0; index < UUID_DIGITS.length; index++) {
      const digit = UUID_DIGITS[index] ?? 0;
      const high = nibble(text, digit);
      const low = nibble(text, digit + 1);
      seen |= high | low;
      this.#slab[this.#at + index] = (high << 4) | low;
    }
    if (seen > 0xf) throw validationError(`${field} must be a UUID`);
    this.#at += 16;
  }

  /** Number of elements of an array or a map, or of the bytes of a text. */
  varint(value: number): void {
    this.#reserve(MAX_VARINT_BYTES);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#slab[this.#at++] = (rest & 0x7f) | 0x80;
    this.#slab[this.#at++] = rest;
  }

  texts(texts: readonly string[]): void {
    this.varint(texts.length);
    for (const text of texts) this.text(text);
  }

  nullableText(text: string | null): void {
    this.uint8(text === null ? 1 : 0);
    if (text !== null) this.text(text);
  }

  text(text: string): void {
    if (text.length <= SHORT_TEXT && this.#shortText(text)) return;
    if (text.includes('\0')) return this.text(text.replaceAll('\0', '\ufffd'));
    const room = text.length > LONG_TEXT ? Buffer.byteLength(text) : text.length * MAX_UTF8_PER_UNIT;
    this.#reserve(2 * MAX_VARINT_BYTES + room);
    const expected = varintBytes(text.length);
    const from = this.#at + expected;
    const bytes = this.#slab.write(text, from);
    const needed = varintBytes(bytes);
    if (needed !== expected) this.#slab.copyWithin(this.#at + needed, from, from + bytes);
    this.varint(bytes);
    this.#at += bytes;
  }

  /** Copies the bytes from `start` to `end`. */
  raw(bytes: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    if (end - start > SHORT_TEXT) bytes.copy(this.#slab, this.#at, start, end);
    else for (let at = start; at < end; at++) this.#slab[this.#at + at - start] = bytes[at] ?? 0;
    this.#at += end - start;
  }

  /** Writes ASCII without NUL; returns false and writes nothing for any other text. */
  #shortText(text: string): boolean {
    this.#reserve(1 + SHORT_TEXT);
    const slab = this.#slab;
    const from = this.#at + 1;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f || unit === 0) return false;
      slab[from + index] = unit;
    }
    slab[this.#at] = text.length;
    this.#at = from + text.length;
    return true;
  }

  /** Reserves this many bytes; a row that outgrows its slab moves to the next one. */
  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#slab.length) return;
    const written = this.#at - this.#start;
    // A long row leaves room for itself once more, so that its parts are copied a few times and not for each value.
    const slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, 2 * written + bytes));
    this.#slab.copy(slab, 0, this.#start, this.#at);
    this.#slab = slab;
    this.#start = 0;
    this.#at = written;
  }
}

function varintBytes(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  return value < 0x200000 ? 3 : value < 0x10000000 ? 4 : MAX_VARINT_BYTES;
}

const UUID_LENGTH = 36;
const DASH = 0x2d;

function isDashed(text: string): boolean {
  return (
    text.length === UUID_LENGTH &&
    text.charCodeAt(8) === DASH &&
    text.charCodeAt(13) === DASH &&
    text.charCodeAt(18) === DASH &&
    text.charCodeAt(23) === DASH
  );
}

/** Values of the lower-case hexadecimal digits by their code; 255 for everything else. */
const NIBBLES = new Uint8Array(128).fill(0xff);
for (let value = 0; value < 16; value++) NIBBLES[value.toString(16).charCodeAt(0)] = value;

/** The value of a digit, over 15 when it is none. */
function nibble(text: string, index: number): number {
  return NIBBLES[text.charCodeAt(index)] ?? 0xff;
}
