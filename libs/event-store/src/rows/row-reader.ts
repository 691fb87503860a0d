import { validationError } from '@assay/errors';

const HALF = 8;

/** Reads what `RowWriter` wrote. @throws AppError `VALIDATION_ERROR` where the bytes end too early */
export class RowReader {
  #at = 0;

  constructor(readonly row: Buffer) {}

  uint8(): number {
    return this.row[this.#advance(1)] ?? 0;
  }

  float64(): number {
    return this.row.readDoubleLE(this.#advance(8));
  }

  nullableFloat64(): number | null {
    return this.uint8() === 0 ? this.float64() : null;
  }

  uuid(): string {
    const start = this.#advance(2 * HALF);
    const hex = this.#half(start) + this.#half(start + HALF);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
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

  nullableText(): string | null {
    return this.uint8() === 0 ? this.text() : null;
  }

  skip(bytes: number): void {
    this.#advance(bytes);
  }

  skipText(): void {
    this.skip(this.varint());
  }

  /** Whether everything was read. */
  atEnd(): boolean {
    return this.#at === this.row.length;
  }

  /** @returns the place before the step */
  #advance(bytes: number): number {
    const start = this.#at;
    if (start + bytes > this.row.length) throw validationError('the row of an event ends too early');
    this.#at = start + bytes;
    return start;
  }

  #half(start: number): string {
    return Buffer.from(this.row.subarray(start, start + HALF))
      .reverse()
      .toString('hex');
  }
}
