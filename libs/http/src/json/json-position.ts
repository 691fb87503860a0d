import { hex4At } from './hex.js';

/** A place in JSON text. */
export interface JsonPosition {
  /** Byte offset, from 0. */
  readonly position: number;
  /** The field that it belongs to, such as `events[2].inputs`; empty at the top. */
  readonly path: string;
}

/** Names longer than this, and levels below this, are left out of a path. */
const SHOWN_CHARACTERS = 60;
const SHOWN_LEVELS = 6;

/**
 * Where JSON text stops being valid, or the path of the byte `stopAt`. Only failures need it, so it may be slow;
 * it never repeats a value.
 */
export function findJsonPosition(bytes: Buffer, stopAt = Infinity): JsonPosition {
  const walk = new Walk(bytes, stopAt);
  try {
    walk.run();
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
  }
  return { position: Math.min(walk.position, bytes.length), path: walk.path() };
}

/** Ends the walk where it stands. */
class Stop extends Error {}

/** The words of JSON by their first byte. */
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
const OF_NUMBERS = new Set(Buffer.from('0123456789+-.eE'));

class Walk {
  position = 0;
  readonly #segments: (string | number)[] = [];

  constructor(
    private readonly bytes: Buffer,
    private readonly stopAt: number,
  ) {}

  run(): void {
    this.#value();
    this.#space();
    if (this.position < this.bytes.length) throw new Stop();
  }

  path(): string {
    const shown = this.#segments
      .slice(0, SHOWN_LEVELS)
      .map((segment) => (typeof segment === 'number' ? segment : shorten(segment)));
    const text = shown.reduce<string>((path, segment) => {
      if (typeof segment === 'number') return `${path}[${segment}]`;
      return path === '' ? segment : `${path}.${segment}`;
    }, '');
    return this.#segments.length > SHOWN_LEVELS ? `${text}…` : text;
  }

  #value(): void {
    this.#space();
    if (this.position >= this.stopAt) throw new Stop();
    const byte = this.#byte();
    if (byte === OPEN_OBJECT) this.#object();
    else if (byte === OPEN_LIST) this.#list();
    else if (byte === QUOTE) this.#string();
    else this.#scalar();
  }

  #object(): void {
    this.position += 1;
    this.#space();
    for (let first = true; first || this.#byte() === COMMA; first = false) {
      if (first && this.#byte() === CLOSE_OBJECT) break;
      if (!first) this.position += 1;
      this.#space();
      if (this.position >= this.stopAt) throw new Stop();
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
    this.position += 1;
    this.#space();
    for (let index = 0; index === 0 || this.#byte() === COMMA; index += 1) {
      if (index === 0 && this.#byte() === CLOSE_LIST) break;
      if (index > 0) this.position += 1;
      this.#segments.push(index);
      this.#value();
      this.#segments.pop();
      this.#space();
    }
    this.#expect(CLOSE_LIST);
  }

  #string(): string {
    const start = this.position + 1;
    this.#expect(QUOTE);
    for (let byte = this.#byte(); byte !== QUOTE; byte = this.#byte()) {
      if (byte < 0x20) throw new Stop();
      this.position += byte === BACKSLASH ? this.#escape() : 1;
    }
    this.position += 1;
    return this.bytes.toString('utf8', start, Math.min(this.position - 1, start + 4 * SHOWN_CHARACTERS));
  }

  /** @returns the length of the escape that stands here */
  #escape(): number {
    const next = this.bytes[this.position + 1] ?? 0;
    if (ESCAPED.has(next)) return 2;
    if (next === LETTER_U && hex4At(this.bytes, this.position + 2) >= 0) return 6;
    throw new Stop();
  }

  #scalar(): void {
    const word = LITERALS.get(this.#byte());
    const length = word === undefined ? this.#lengthOfNumber() : this.#lengthOf(word);
    if (length === 0) throw new Stop();
    this.position += length;
  }

  #lengthOf(word: string): number {
    return this.bytes.toString('latin1', this.position, this.position + word.length) === word
      ? word.length
      : 0;
  }

  #lengthOfNumber(): number {
    let end = this.position;
    while (OF_NUMBERS.has(this.bytes[end] ?? 0)) end += 1;
    return NUMBER.exec(this.bytes.toString('latin1', this.position, end))?.[0].length ?? 0;
  }

  #space(): void {
    while (isSpace(this.#byte())) this.position += 1;
  }

  /** The byte that stands here, or 0 behind the end. */
  #byte(): number {
    return this.bytes[this.position] ?? 0;
  }

  #expect(wanted: number): void {
    if (this.#byte() !== wanted) throw new Stop();
    this.position += 1;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function shorten(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}…` : plain;
}
