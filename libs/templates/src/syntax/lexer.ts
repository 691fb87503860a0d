import { MAX_INTEGER_DIGITS } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { unescapeString } from './string-literal.js';
import { SPACE, type Token, type TokenType } from './token.js';

const BEGIN = /\{(?:\{|%|#)/g;
const RAW_BEGIN = new RegExp(`\\{%[-+]?${SPACE}*raw${SPACE}*(-?)%\\}`, 'y');
const RAW_END = new RegExp(`\\{%([-+]?)${SPACE}*endraw${SPACE}*([-+]?)%\\}`, 'g');
const COMMENT_END = /([-+]?)#\}/g;
const SPACES = new RegExp(`${SPACE}*`, 'y');
const FLOAT = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y;
const INTEGER = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;
/** Maximum number of tokens of a template. A template of this many is parsed in about 10 ms. */
export const MAX_TOKENS = 20_000;
const MAX_NAME_LENGTH = 1_000;
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Splits a template into tokens, with the rules of Jinja2's lexer in its default configuration: one trailing newline is dropped, line
 * ends become `\n`, and `-` inside a delimiter strips the white space beside it.
 * @throws TemplateError on text that is no token
 */
export function tokenize(source: string): Token[] {
  return new Lexer(source.replace(/\r\n?/g, '\n').replace(/\n$/, '')).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private position = 0;
  private line = 1;
  /** Opening brackets of the expression. Delimiters inside brackets do not end it. */
  private readonly open: string[] = [];

  /** Offset of the first line end that is not behind the position. */
  private newline: number;

  constructor(private readonly source: string) {
    this.newline = this.newlineFrom(0);
  }

  run(): Token[] {
    while (this.position < this.source.length) this.readUpToDelimiter();
    this.push('eof', '');
    return this.tokens;
  }

  private readUpToDelimiter(): void {
    BEGIN.lastIndex = this.position;
    const begin = BEGIN.exec(this.source);
    const end = begin?.index ?? this.source.length;
    const data = this.source.slice(this.position, end);
    if (!begin) return this.pushData(data);
    const sign = this.source[end + 2];
    this.pushData(data, sign === '-');
    if (begin[0] === '{%' && this.readRaw(end)) return;
    this.position = end + 2 + (sign === '-' || sign === '+' ? 1 : 0);
    if (begin[0] === '{#') return this.skipComment();
    this.readExpression(begin[0] === '{{' ? 'variable' : 'block');
  }

  /** Adds text and moves behind it; `strip` removes the white space at its end. */
  private pushData(data: string, strip = false): void {
    const text = strip ? trimEnd(data) : data;
    if (text !== '') this.push('data', text);
    this.advance(data.length);
  }

  private readRaw(at: number): boolean {
    RAW_BEGIN.lastIndex = at;
    const begin = RAW_BEGIN.exec(this.source);
    if (!begin) return false;
    this.advance(begin[0].length);
    if (begin[1] === '-') this.skipSpace();
    if (this.position >= this.source.length) return true;
    RAW_END.lastIndex = this.position;
    const end = RAW_END.exec(this.source);
    if (!end) throw this.error('missing end of raw directive');
    this.pushData(this.source.slice(this.position, end.index), end[1] === '-');
    this.advance(end[0].length);
    if (end[2] === '-') this.skipSpace();
    return true;
  }

  private skipComment(): void {
    COMMENT_END.lastIndex = this.position;
    const end = COMMENT_END.exec(this.source);
    if (!end) throw this.error('missing end of comment tag');
    this.advance(end.index + end[0].length - this.position);
    if (end[1] === '-') this.skipSpace();
  }

  private readExpression(kind: 'variable' | 'block'): void {
    this.push(`${kind}_begin`, '');
    for (;;) {
      this.skipSpace();
      if (this.position >= this.source.length) throw this.error('unexpected end of template');
      if (this.open.length === 0 && this.readEnd(kind)) return;
      if (!this.readToken()) throw this.error(`unexpected character ${JSON.stringify(this.character())}`);
    }
  }

  private readEnd(kind: 'variable' | 'block'): boolean {
    const delimiter = kind === 'variable' ? '}}' : '%}';
    const character = this.source[this.position] as string;
    const isSigned = character === '-' || (character === '+' && kind === 'block');
    const start = isSigned ? this.position + 1 : this.position;
    if (!this.source.startsWith(delimiter, start)) return false;
    this.push(`${kind}_end`, '');
    this.position = start + delimiter.length;
    if (character === '-') this.skipSpace();
    return true;
  }

  private readToken(): boolean {
    // A dot before digits is an item of a sequence, as in `a.0.5`, and never a part of a float.
    const isAfterDot = this.source[this.position - 1] === '.';
    const float = isAfterDot ? undefined : this.match(FLOAT);
    if (float !== undefined) return this.push('float', float.replaceAll('_', ''));
    const integer = this.match(INTEGER);
    if (integer !== undefined) return this.pushInteger(integer.replaceAll('_', ''));
    const name = this.match(NAME);
    if (name !== undefined) return this.pushName(name);
    return this.readString() || this.readOperator();
  }

  private pushInteger(digits: string): true {
    if (digits.length > MAX_INTEGER_DIGITS)
      throw this.error(`an integer has more than ${MAX_INTEGER_DIGITS} digits`);
    return this.push('integer', digits);
  }

  /** Bringing a name into its normal form takes time in the square of its length. */
  private pushName(name: string): true {
    if (name.length > MAX_NAME_LENGTH)
      throw this.error(`a name is longer than ${MAX_NAME_LENGTH} characters`);
    return this.push('name', name.normalize('NFKC'));
  }

  private readString(): boolean {
    const quote = this.source[this.position] as string;
    if (quote !== "'" && quote !== '"') return false;
    let end = this.position + 1;
    while (end < this.source.length && this.source[end] !== quote) end += this.source[end] === '\\' ? 2 : 1;
    if (end >= this.source.length) throw this.error('a string has no end');
    const text = this.source.slice(this.position + 1, end);
    this.push('string', unescapeString(text, this.line));
    this.advance(text.length + 2);
    return true;
  }

  private readOperator(): boolean {
    const operator = this.match(OPERATOR);
    if (operator === undefined) return false;
    if ('([{'.includes(operator)) this.open.push(operator);
    const opening = CLOSING[operator];
    if (opening !== undefined && this.open.pop() !== opening) throw this.error(`unexpected '${operator}'`);
    return this.push('operator', operator);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  private skipSpace(): void {
    SPACES.lastIndex = this.position;
    this.advance(SPACES.exec(this.source)?.[0].length ?? 0);
  }

  private newlineFrom(position: number): number {
    const found = this.source.indexOf('\n', position);
    return found === -1 ? Infinity : found;
  }

  /** Moves forward and counts lines; each of them is looked for once. */
  private advance(length: number): void {
    const end = this.position + length;
    while (this.newline < end) {
      this.line++;
      this.newline = this.newlineFrom(this.newline + 1);
    }
    this.position = end;
  }

  private push(type: TokenType, value: string): true {
    if (this.tokens.length >= MAX_TOKENS)
      throw this.error(`the template has more than ${MAX_TOKENS.toLocaleString('en')} tokens`);
    this.tokens.push({ type, value, line: this.line });
    return true;
  }

  private character(): string {
    return String.fromCodePoint(this.source.codePointAt(this.position) as number);
  }

  private error(message: string): TemplateError {
    return new TemplateError(message, this.line);
  }
}

const SPACE_ONLY = new RegExp(SPACE);

/** Removes trailing white space. Linear, unlike a regular expression that is anchored at the end. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && SPACE_ONLY.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
