import { validationError } from '@assay/errors';
import { UUID_DIGITS } from './uuid-digits.js';

const HEX_DIGITS = Buffer.from('0123456789abcdef');
/** Longer texts are not compared with the one before. */
const MAX_COMPARED_BYTES = 64;
/** The text of a UUID while it is read. */
const UUID_TEXT = Buffer.from('00000000-0000-0000-0000-000000000000');

/** Where a text was read, and the text. */
export interface LastText {
  start: number;
  bytes: number;
  text: string;
}

/**
 * Reads the values that a `RowWriter` wrote.
 * @throws AppError `VALIDATION_ERROR` when the bytes end too early
 */
export class RowReader {
  #offset = 0;

  constructor(readonly row: Buffer) {}

  /** Bytes that were read. */
  get offset(): number {
    return this.#offset;
  }

  uint8(): number {
    return this.row[this.#advance(1)] ?? 0;
  }

  uint32(): number {
    return this.row.readUInt32LE(this.#advance(4));
  }

  float64(): number {
    return this.row.readDoubleLE(this.#advance(8));
  }

  nullableFloat64(): number | null {
    return this.uint8() === 0 ? this.float64() : null;
  }

  uuid(): string {
    const start = this.#advance(UUID_DIGITS.length);
    for (let index = 0; index < UUID_DIGITS.length; index++) {
      const byte = this.row[start + index] ?? 0;
      const offset = UUID_DIGITS[index] ?? 0;
      UUID_TEXT[offset] = HEX_DIGITS[byte >> 4] ?? 0;
      UUID_TEXT[offset + 1] = HEX_DIGITS[byte & 15] ?? 0;
    }
    return UUID_TEXT.toString('latin1');
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.uint8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const bytes = this.varint();
    const start = this.#advance(bytes);
    return this.row.toString('utf8', start, start + bytes);
  }

  /**
   * The text, taken from `last` if it has the same bytes: to make a text takes longer than to compare a short one.
   * Remembers it in `last`, which belongs to these bytes.
   */
  textAfter(last: LastText): string {
    const bytes = this.varint();
    const start = this.#advance(bytes);
    if (bytes > MAX_COMPARED_BYTES) return this.row.toString('utf8', start, start + bytes);
    if (bytes !== last.bytes || !this.#repeats(last.start, start, bytes))
      last.text = this.row.toString('utf8', start, start + bytes);
    last.start = start;
    last.bytes = bytes;
    return last.text;
  }

  #repeats(one: number, other: number, bytes: number): boolean {
    const { row } = this;
    for (let index = 0; index < bytes; index++) if (row[one + index] !== row[other + index]) return false;
    return true;
  }

  /** The bytes of a text, a view of the row. */
  bytes(): Buffer {
    const length = this.varint();
    const start = this.#advance(length);
    return this.row.subarray(start, start + length);
  }

  nullableText(): string | null {
    return this.uint8() === 0 ? this.text() : null;
  }

  skip(bytes: number): void {
    this.#advance(bytes);
  }

  skipText(): void {
    this.skip(this.varint());
  }

  /** Whether all bytes were read. */
  atEnd(): boolean {
    return this.#offset === this.row.length;
  }

  /** @returns the offset before the step */
  #advance(bytes: number): number {
    const start = this.#offset;
    if (start + bytes > this.row.length) throw validationError('the row of an event ends too early');
    this.#offset = start + bytes;
    return start;
  }
}
