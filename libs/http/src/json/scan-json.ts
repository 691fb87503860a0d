import { isLargeInteger, SpecialBytes } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import { hex4At } from './hex.js';
import { CutList, PIECE_BYTES, type JsonCut } from './json-cuts.js';
import { findJsonPosition } from './json-position.js';

export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
  readonly maxKeys: number;
}

/** Limits of a body: nesting depth, total number of values, keys of one object. */
export const JSON_LIMITS: JsonLimits = { maxDepth: 64, maxValues: 2_000_000, maxKeys: 100_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const POINT = 0x2e;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** U+FFFD as JSON escapes it. */
const ESCAPED_REPLACEMENT = Buffer.from('\\ufffd');
/** A number this short, with an exponent of two digits at most, is far from the largest double. */
const SHORT_NUMBER = 100;
/** Bytes per step: about a millisecond of scanning. */
export const STEP_BYTES = 524_288;
/** A shorter integer is held by a number. */
const MIN_LARGE_LENGTH = 16;
const NO_CUTS: readonly JsonCut[] = [];
/** A double has at most this many digits before the point. */
const MAX_FINITE_LENGTH = 308;

/**
 * Scans JSON text before it is parsed, in one pass and without allocating: for a few kilobytes of the right shape
 * `JSON.parse` would take seconds and gigabytes. Does not check the grammar. Yields about every millisecond.
 *
 * Replaces escapes of lone surrogates with that of U+FFFD in place: they have no UTF-8 form, so each store would keep
 * something different.
 * @throws AppError `VALIDATION_ERROR` for an exceeded limit, a number that is not finite, a key with a NUL character
 */
export function* scanJsonSteps(
  bytes: Buffer,
  limits: JsonLimits = JSON_LIMITS,
  pieceBytes = PIECE_BYTES,
): Steps<ScannedJson> {
  const cuts = bytes.length > pieceBytes ? new CutList(bytes, limits.maxDepth, pieceBytes) : undefined;
  const scan = new JsonScan(bytes, limits, cuts);
  for (let end = STEP_BYTES; !scan.advance(end); end += STEP_BYTES) yield;
  return { largeIntegers: scan.largeIntegers, cuts: cuts?.all ?? NO_CUTS };
}

/** What a scan has found, in the order of the text. */
export interface ScannedJson {
  /** The integers that a number does not hold digit for digit. */
  readonly largeIntegers: readonly LargeInteger[];
  /** Where a long text can be divided to be parsed in pieces. */
  readonly cuts: readonly JsonCut[];
}

/** Offsets of an integer in JSON text: of its first byte, and behind its last. */
export interface LargeInteger {
  readonly start: number;
  readonly end: number;
}

class JsonScan {
  readonly largeIntegers: LargeInteger[] = [];
  #offset = 0;
  #depth = 0;
  #values = 1;
  #lastWasOpen = false;
  /** Commas counted so far in the object at each depth; -1 for a list. */
  readonly #commas: Int32Array;
  readonly #special: SpecialBytes;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: JsonLimits,
    private readonly cuts: CutList | undefined,
  ) {
    this.#commas = new Int32Array(limits.maxDepth + 1);
    this.#special = new SpecialBytes(bytes);
  }

  /** Scans up to the first token that ends at or after `limit`. @returns whether the end of the text is reached */
  advance(limit: number): boolean {
    const { bytes } = this;
    const end = Math.min(limit, bytes.length);
    let at = this.#offset;
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte <= 0x20) continue;
      // Counts the first value of a list or object; each further value is counted by its comma.
      if (this.#lastWasOpen && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) this.#countValue();
      this.#lastWasOpen = byte === OPEN_OBJECT || byte === OPEN_LIST;
      at = this.#token(at, byte);
    }
    this.#offset = at;
    return at >= bytes.length;
  }

  /** @returns the offset of the token's last byte */
  #token(at: number, byte: number): number {
    if (byte === QUOTE) return this.#string(at);
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d) return this.#number(at);
    if (byte === COMMA) this.#comma(at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(at, byte);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth = Math.max(0, this.#depth - 1);
    return at;
  }

  #open(at: number, byte: number): void {
    this.#depth += 1;
    if (this.#depth > this.limits.maxDepth) {
      throw validationError(`${this.#pathAt(at)} is nested deeper than ${this.limits.maxDepth} levels`);
    }
    this.#commas[this.#depth] = byte === OPEN_OBJECT ? 0 : -1;
    this.cuts?.open(at, this.#depth);
  }

  #comma(at: number): void {
    this.#countValue();
    this.cuts?.comma(at, this.#depth);
    const commas = this.#commas[this.#depth] ?? -1;
    if (commas < 0) return;
    this.#commas[this.#depth] = commas + 1;
    if (commas + 2 > this.limits.maxKeys) {
      throw validationError(
        `${this.#pathAt(at)} has more than ${this.limits.maxKeys.toLocaleString('en')} keys in one object`,
      );
    }
  }

  #countValue(): void {
    this.#values += 1;
    if (this.#values > this.limits.maxValues)
      throw validationError(`body has more than ${this.limits.maxValues.toLocaleString('en')} values`);
  }

  /** @returns the offset of the closing quote, or of the last byte when there is none */
  #string(start: number): number {
    const { bytes } = this;
    let at = this.#special.next(start + 1);
    let hasNul = false;
    while (at < bytes.length && bytes[at] !== QUOTE) {
      // A control character, which the parser rejects.
      if (bytes[at] !== BACKSLASH) at += 1;
      else if (bytes[at + 1] !== 0x75) at += 2;
      else {
        const code = hex4At(bytes, at + 2);
        hasNul ||= code === 0;
        at += isSurrogate(code) ? repairSurrogate(bytes, at, code) : 6;
      }
      at = this.#special.next(at);
    }
    if (hasNul && this.#isKey(at + 1))
      throw validationError(`${this.#pathAt(start)} has a key with a NUL character`);
    return at;
  }

  /** @param end offset behind the token */
  #isKey(end: number): boolean {
    let at = end;
    while (at < this.bytes.length && (this.bytes[at] ?? 0) <= 0x20) at += 1;
    return this.bytes[at] === COLON;
  }

  /** @returns the offset of the number's last byte */
  #number(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    let exponentAt = 0;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x30 && byte <= 0x39) continue;
      if (byte === 0x65 || byte === 0x45) exponentAt = at;
      else if (byte !== 0x2b && byte !== 0x2d && byte !== POINT) break;
    }
    const exponentLength = exponentAt === 0 ? 0 : at - exponentAt - 1;
    const suspect = at - start > (exponentAt === 0 ? MAX_FINITE_LENGTH : SHORT_NUMBER) || exponentLength > 2;
    if (suspect && Math.abs(Number(bytes.toString('latin1', start, at))) === Infinity)
      throw validationError(`${this.#pathAt(start)} must be a finite number`);
    this.#noteInteger(start, at);
    return at - 1;
  }

  #noteInteger(start: number, end: number): void {
    if (end - start < MIN_LARGE_LENGTH) return;
    // Most long numbers are fractions, whose point is near their start.
    for (let at = start; at < end; at += 1) if (this.bytes[at] === POINT) return;
    // A number in the place of a key stays, and the parser refuses it.
    if (isLargeInteger(this.bytes.toString('latin1', start, end)) && !this.#isKey(end))
      this.largeIntegers.push({ start, end });
  }

  #pathAt(at: number): string {
    return findJsonPosition(this.bytes, at).path || 'body';
  }
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** @returns the number of bytes to skip: a complete pair, or the one escape that is now U+FFFD */
function repairSurrogate(bytes: Buffer, at: number, code: number): number {
  const second = bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75 ? hex4At(bytes, at + 8) : -1;
  if (code <= 0xdbff && second >= 0xdc00 && second <= 0xdfff) return 12;
  bytes.set(ESCAPED_REPLACEMENT, at);
  return 6;
}
