import { isLargeInteger, type JsonValue } from '@assay/domain';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const WORDS: readonly (readonly [string, JsonValue])[] = [
  ['True', true],
  ['False', false],
  ['None', null],
];
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const MAX_DEPTH = 16;

/**
 * Parses what Python's `repr` writes for dicts, lists, tuples, strings, numbers, booleans and None. Evaluates no code.
 * @returns undefined when the text is anything else
 */
export function parsePythonLiteral(text: string): JsonValue | undefined {
  try {
    return new LiteralParser(text).parse();
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

class LiteralParser {
  #offset = 0;
  #depth = 0;

  constructor(private readonly text: string) {}

  parse(): JsonValue {
    const value = this.#value();
    this.#space();
    if (this.#offset < this.text.length) throw new NotALiteral();
    return value;
  }

  #value(): JsonValue {
    this.#space();
    const next = this.text[this.#offset];
    if (next === '{') return this.#nested(() => Object.fromEntries(this.#items('}', () => this.#entry())));
    if (next === '[') return this.#nested(() => this.#items(']', () => this.#value()));
    if (next === '(') return this.#nested(() => this.#items(')', () => this.#value()));
    if (next === "'" || next === '"') return this.#string(next);
    return this.#scalar();
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NotALiteral();
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #items<T>(close: string, read: () => T): T[] {
    this.#offset += 1;
    const items: T[] = [];
    while (!this.#skip(close)) {
      items.push(read());
      if (!this.#skip(',') && !this.#isAt(close)) throw new NotALiteral();
    }
    return items;
  }

  #entry(): [string, JsonValue] {
    const key = this.#value();
    if (typeof key !== 'string' || !this.#skip(':')) throw new NotALiteral();
    return [key, this.#value()];
  }

  #string(quote: string): string {
    let value = '';
    for (this.#offset += 1; this.text[this.#offset] !== quote; this.#offset += 1) {
      const character = this.text[this.#offset];
      if (character === undefined) throw new NotALiteral();
      value += character === '\\' ? this.#escape() : character;
    }
    this.#offset += 1;
    return value;
  }

  #escape(): string {
    this.#offset += 1;
    const hex = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))/i.exec(
      this.text.slice(this.#offset, this.#offset + 9),
    );
    if (hex) return this.#codePoint(hex[0].length, parseInt(hex[0].slice(1), 16));
    const plain = ESCAPES[this.text[this.#offset] ?? ''];
    if (plain === undefined) throw new NotALiteral();
    return plain;
  }

  #codePoint(length: number, code: number): string {
    if (code > 0x10ffff) throw new NotALiteral();
    this.#offset += length - 1;
    return String.fromCodePoint(code);
  }

  #scalar(): JsonValue {
    const rest = this.text.slice(this.#offset);
    const word = WORDS.find(([name]) => rest.startsWith(name));
    const number = NUMBER.exec(rest)?.[0];
    if (word === undefined && number === undefined) throw new NotALiteral();
    this.#offset += word?.[0].length ?? number?.length ?? 0;
    if (word !== undefined) return word[1];
    const value = Number(number);
    if (!Number.isFinite(value)) throw new NotALiteral();
    return isLargeInteger(number ?? '') ? BigInt(number ?? '') : value;
  }

  #space(): void {
    while (/\s/.test(this.text[this.#offset] ?? '')) this.#offset += 1;
  }

  #isAt(wanted: string): boolean {
    this.#space();
    return this.text[this.#offset] === wanted;
  }

  #skip(wanted: string): boolean {
    if (!this.#isAt(wanted)) return false;
    this.#offset += 1;
    return true;
  }
}
