import { MAX_STATEMENT_LENGTH, type Bindings, type BoundValue, type Query } from './engine.js';
import { queryTooLarge } from './engine-failure.js';

const PLACEHOLDER = /\{(p\d+):([^}]+)\}/g;
const SPECIAL = /[\\'\0\b\f\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** From this length on, a text is escaped as bytes: a call for each character of 10 MB would take half a second. */
const MIN_LONG = 1_000;
const BACKSLASH = 0x5c;
const QUOTE = 0x27;
/** The byte behind the backslash, by the byte that is escaped; 0 for all others. */
const ESCAPE_BYTES = new Uint8Array(256);
for (const [character, escape] of Object.entries(ESCAPES))
  ESCAPE_BYTES[character.charCodeAt(0)] = escape.charCodeAt(1);

/**
 * The text of a query with its values as typed literals. The engine in the process runs statements with
 * parameters one at a time over all connections, so that one slow query would block every other.
 * @throws AppError `VALIDATION_ERROR` if the text has more than {@link MAX_STATEMENT_LENGTH} characters
 */
export function inlineBindings({ sql, bindings }: Query): string {
  const known = new Map<string, string>();
  let length = sql.length;
  return sql.replace(PLACEHOLDER, (_place, name: string, type: string) => {
    const literal = typedLiteral(valueOf(bindings, name), type, known);
    length += literal.length;
    if (length > MAX_STATEMENT_LENGTH) throw queryTooLarge();
    return literal;
  });
}

function valueOf(bindings: Bindings, name: string): BoundValue {
  const value = bindings[name];
  if (value === undefined) throw new RangeError(`the statement binds no value for ${name}`);
  return value;
}

/** Numbers stand bare, because `LIMIT` takes no expression; every other value is cast as the engine casts parameters. */
function typedLiteral(value: BoundValue, type: string, known: Map<string, string>): string {
  if (typeof value === 'number') return String(value);
  const quote = (text: string) => quoted(text, known);
  const literal = typeof value === 'string' ? quote(value) : `[${value.map(quote).join(',')}]`;
  return `_CAST(${literal}, ${quote(type)})`;
}

/** Returns a text as a literal. `known` has those of long texts, which a statement repeats. */
function quoted(text: string, known: Map<string, string>): string {
  if (text.length < MIN_LONG)
    return `'${text.replace(SPECIAL, (character) => ESCAPES[character] ?? character)}'`;
  const literal = known.get(text) ?? quotedBytes(Buffer.from(text));
  known.set(text, literal);
  return literal;
}

function quotedBytes(bytes: Buffer): string {
  const escaped = Buffer.allocUnsafe(2 * bytes.length + 2);
  let length = 0;
  escaped[length++] = QUOTE;
  for (const byte of bytes) {
    const escape = ESCAPE_BYTES[byte] ?? 0;
    if (escape !== 0) escaped[length++] = BACKSLASH;
    escaped[length++] = escape === 0 ? byte : escape;
  }
  escaped[length++] = QUOTE;
  return escaped.toString('utf8', 0, length);
}
