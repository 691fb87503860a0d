import { isUtf8 } from 'node:buffer';
import { RawText, SpecialBytes, type JsonValue } from '@assay/domain';

/** Bytes of a literal that has more than 256 characters, whichever they are. */
const MIN_RAW_BYTES = 1_600;
const MAX_NAME_BYTES = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACES = new Set([0x20, 0x0a, 0x0d, 0x09]);
/** What follows a backslash where `JSON.stringify` writes one. */
const ESCAPED = new Set([...'"\\bfnrt'].map((character) => character.charCodeAt(0)));
/** A message with one text, which is {@link RawText} when it is long. */
export interface RawMessage {
  readonly role: string;
  readonly content: JsonValue;
  readonly finish_reason?: JsonValue;
}

/** JSON text of messages of which some are long, read without decoding those. */
export class RawMessages {
  constructor(
    private readonly bytes: Buffer,
    readonly messages: readonly RawMessage[],
  ) {}

  /** The text of the attribute. */
  toString(): string {
    return this.bytes.toString('utf8');
  }

  /** These messages as the value of their attribute. */
  asValue(): JsonValue {
    return this as unknown as JsonValue;
  }
}

/** The value of an attribute: the text of raw messages, any other value unchanged. */
export function attributeValue(value: JsonValue): JsonValue {
  return isRawMessages(value) ? value.toString() : value;
}

export function isRawMessages(value: unknown): value is RawMessages {
  return value instanceof RawMessages;
}

/**
 * Reads the JSON text of a list of messages `{role, parts: [{type: 'text', content}], finish_reason?}` or
 * `{role, content}`, in any order and with any spaces.
 * @returns undefined for every other text, also for one with escapes that `JSON.stringify` does not write, and when
 * no content is long
 */
export function readRawMessages(bytes: Buffer): RawMessages | undefined {
  const messages = new Scanner(bytes).messages();
  if (messages === undefined || !isUtf8(bytes)) return undefined;
  return new RawMessages(bytes, messages);
}

type Fields = Record<string, JsonValue>;

class Scanner {
  private at = 0;
  private isLong = false;

  private readonly special: SpecialBytes;

  constructor(private readonly bytes: Buffer) {
    this.special = new SpecialBytes(bytes);
  }

  messages(): RawMessage[] | undefined {
    const messages = this.list(() => this.message());
    this.skipSpaces();
    return this.isLong && this.at === this.bytes.length ? messages : undefined;
  }

  private message(): RawMessage | undefined {
    const { role, parts, content, finish_reason: finishReason } = this.object(MESSAGE_FIELDS) ?? {};
    const text = parts ?? content;
    if (typeof role !== 'string' || text === undefined || (parts !== undefined && content !== undefined))
      return undefined;
    return { role, content: text, ...(finishReason !== undefined && { finish_reason: finishReason }) };
  }

  /** The only part of a message. */
  readonly parts = (): JsonValue | undefined => {
    const parts = this.list(() => {
      const { type, content, text } = this.object(PART_FIELDS) ?? {};
      return type !== 'text' || (content !== undefined && text !== undefined) ? undefined : (content ?? text);
    });
    return parts?.length === 1 ? parts[0] : undefined;
  };

  /** A text, raw when it is long. */
  readonly text = (): JsonValue | undefined => {
    const start = this.at;
    if (!this.literal() || this.at - start === 2) return undefined;
    const isLong = this.at - start >= MIN_RAW_BYTES;
    this.isLong ||= isLong;
    if (isLong) return new RawText(this.bytes.subarray(start, this.at)).asValue();
    return JSON.parse(this.bytes.toString('utf8', start, this.at)) as string;
  };

  /** The content of a message without parts, which is not the JSON text of parts. */
  readonly bareText = (): JsonValue | undefined => {
    const { bytes, at } = this;
    return bytes[at + 1] === 0x5b && bytes[at + 2] === 0x7b ? undefined : this.text();
  };

  /** A short text without escapes. */
  readonly name = (): string | undefined => {
    const start = this.at + 1;
    if (!this.literal()) return undefined;
    const length = this.at - 1 - start;
    if (length === 0 || length > MAX_NAME_BYTES) return undefined;
    const name = this.bytes.toString('latin1', start, this.at - 1);
    return PLAIN_NAME.test(name) ? name : undefined;
  };

  private list<Item>(item: () => Item | undefined): Item[] | undefined {
    const items: Item[] = [];
    if (!this.take(0x5b)) return undefined;
    do {
      this.skipSpaces();
      const value = item();
      if (value === undefined) return undefined;
      items.push(value);
    } while (this.take(COMMA));
    return this.take(0x5d) ? items : undefined;
  }

  /** An object that has only these fields, each once. */
  private object(
    fields: Readonly<Record<string, (scanner: Scanner) => JsonValue | undefined>>,
  ): Fields | undefined {
    const found: Fields = {};
    if (!this.take(0x7b)) return undefined;
    do {
      this.skipSpaces();
      const name = this.name();
      if (name === undefined || !Object.hasOwn(fields, name) || name in found || !this.take(COLON))
        return undefined;
      this.skipSpaces();
      const value = fields[name]?.(this);
      if (value === undefined) return undefined;
      found[name] = value;
    } while (this.take(COMMA));
    return this.take(0x7d) ? found : undefined;
  }

  private take(byte: number): boolean {
    this.skipSpaces();
    if (this.bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  private skipSpaces(): void {
    while (SPACES.has(this.bytes[this.at] ?? 0)) this.at += 1;
  }

  /** Advances beyond a string literal as `JSON.stringify` writes it; returns false when there is none. */
  private literal(): boolean {
    const { bytes, special } = this;
    if (bytes[this.at] !== QUOTE) return false;
    let at = this.at + 1;
    for (;;) {
      at = special.next(at);
      if (bytes[at] === QUOTE) break;
      if (bytes[at] !== BACKSLASH || !ESCAPED.has(bytes[at + 1] ?? 0)) return false;
      at += 2;
    }
    this.at = at + 1;
    return true;
  }
}

const PLAIN_NAME = /^[\x20-\x5b\x5d-\x7e]+$/;
const MESSAGE_FIELDS = {
  role: (scanner: Scanner) => scanner.name(),
  parts: (scanner: Scanner) => scanner.parts(),
  content: (scanner: Scanner) => scanner.bareText(),
  finish_reason: (scanner: Scanner) => scanner.name(),
};
const PART_FIELDS = {
  type: (scanner: Scanner) => scanner.name(),
  content: (scanner: Scanner) => scanner.text(),
  text: (scanner: Scanner) => scanner.text(),
};
