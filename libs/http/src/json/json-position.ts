import { hex4At } from './hex.js';

/** Position in JSON text. */
export interface JsonPosition {
  /** Byte offset, from 0. */
  readonly offset: number;
  /** Path of the enclosing field, such as `events[2].inputs`; empty at the top level. */
  readonly path: string;
}

/** Longer names and deeper levels are truncated in a path. */
const MAX_NAME_LENGTH = 60;
const MAX_PATH_LEVELS = 6;

/**
 * Returns the position at which JSON text stops being valid, or that of the byte `stopAt`. Only error messages need it, so
 * it may be slow. The result contains names of fields and no values.
 */
export function findJsonPosition(bytes: Buffer, stopAt = Infinity): JsonPosition {
  const walk = new JsonWalk(bytes, stopAt);
  try {
    walk.run();
  } catch (stop) {
    if (!(stop instanceof StopWalk)) throw stop;
  }
  return { offset: Math.min(walk.offset, bytes.length), path: walk.path() };
}

/** Thrown to end the walk at the current offset. */
class StopWalk extends Error {}

/** The literals of JSON by their first byte. */
const LITERALS = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
const NUMBER_BYTES = new Set(Buffer.from('0123456789+-.eE'));

class JsonWalk {
  offset = 0;
  readonly #segments: (string | number)[] = [];

  constructor(
    private readonly bytes: Buffer,
    private readonly stopAt: number,
  ) {}

  run(): void {
    this.#value();
    this.#space();
    if (this.offset < this.bytes.length) throw new StopWalk();
  }

  path(): string {
    const segments = this.#segments
      .slice(0, MAX_PATH_LEVELS)
      .map((segment) => (typeof segment === 'number' ? segment : shorten(segment)));
    const text = segments.reduce<string>((path, segment) => {
      if (typeof segment === 'number') return `${path}[${segment}]`;
      return path === '' ? segment : `${path}.${segment}`;
    }, '');
    return this.#segments.length > MAX_PATH_LEVELS ? `${text}…` : text;
  }

  #value(): void {
    this.#space();
    if (this.offset >= this.stopAt) throw new StopWalk();
    const byte = this.#byte();
    if (byte === OPEN_OBJECT) this.#object();
    else if (byte === OPEN_LIST) this.#list();
    else if (byte === QUOTE) this.#string();
    else this.#scalar();
  }

  #object(): void {
    this.offset += 1;
    this.#space();
    for (let first = true; first || this.#byte() === COMMA; first = false) {
      if (first && this.#byte() === CLOSE_OBJECT) break;
      if (!first) this.offset += 1;
      this.#space();
      if (this.offset >= this.stopAt) throw new StopWalk();
      this.#segments.push(this.#string());
      this.#space();
      this.#expect(COLON);
      this.#value();
      this.#segments.pop();
      this.#space();
    }
    this.#expect(CLOSE_OBJECT);
  }

  #list(): void {
    this.offset += 1;
    this.#space();
    for (let index = 0; index === 0 || this.#byte() === COMMA; index += 1) {
      if (index === 0 && this.#byte() === CLOSE_LIST) break;
      if (index > 0) this.offset += 1;
      this.#segments.push(index);
      this.#value();
      this.#segments.pop();
      this.#space();
    }
    this.#expect(CLOSE_LIST);
  }

  #string(): string {
    const start = this.offset + 1;
    this.#expect(QUOTE);
    for (let byte = this.#byte(); byte !== QUOTE; byte = this.#byte()) {
      if (byte < 0x20) throw new StopWalk();
      this.offset += byte === BACKSLASH ? this.#escape() : 1;
    }
    this.offset += 1;
    return this.bytes.toString('utf8', start, Math.min(this.offset - 1, start + 4 * MAX_NAME_LENGTH));
  }

  /** Returns the length of the escape at the current offset. */
  #escape(): number {
    const next = this.bytes[this.offset + 1] ?? 0;
    if (ESCAPED.has(next)) return 2;
    if (next === LETTER_U && hex4At(this.bytes, this.offset + 2) >= 0) return 6;
    throw new StopWalk();
  }

  #scalar(): void {
    const word = LITERALS.get(this.#byte());
    const length = word === undefined ? this.#lengthOfNumber() : this.#lengthOf(word);
    if (length === 0) throw new StopWalk();
    this.offset += length;
  }

  #lengthOf(word: string): number {
    return this.bytes.toString('latin1', this.offset, this.offset + word.length) === word ? word.length : 0;
  }

  #lengthOfNumber(): number {
    let end = this.offset;
    while (NUMBER_BYTES.has(this.bytes[end] ?? 0)) end += 1;
    return NUMBER.exec(this.bytes.toString('latin1', this.offset, end))?.[0].length ?? 0;
  }

  #space(): void {
    while (isSpace(this.#byte())) this.offset += 1;
  }

  /** Returns the byte at the current offset, or 0 after the end. */
  #byte(): number {
    return this.bytes[this.offset] ?? 0;
  }

  #expect(wanted: number): void {
    if (this.#byte() !== wanted) throw new StopWalk();
    this.offset += 1;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function shorten(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > MAX_NAME_LENGTH ? `${plain.slice(0, MAX_NAME_LENGTH)}…` : plain;
}
