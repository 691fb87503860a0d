import { TemplateError } from '../template-error.js';
import { tokenize } from './lexer.js';
import type { Expression, Statement } from './nodes.js';
import type { Token, TokenType } from './token.js';

/** Nesting of brackets, blocks and chained operators in a template. */
const MAX_DEPTH = 128;

/** The rules that other rules refer to before they are defined. */
export interface Grammar {
  readonly expression: (stream: TokenStream) => Expression;
  /** An expression without `if`, which has another meaning after the iterable of a loop. */
  readonly unconditional: (stream: TokenStream) => Expression;
  /** Statements up to one of these tags. */
  readonly body: (stream: TokenStream, endTags: readonly string[]) => Statement[];
}

/** Tokens of a template, read one after the other. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private index = 0;
  private depth = 0;

  constructor(
    source: string,
    readonly grammar: Grammar,
  ) {
    this.tokens = tokenize(source);
  }

  get current(): Token {
    return this.tokens[this.index] as Token;
  }

  look(): Token {
    return this.tokens[Math.min(this.index + 1, this.tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.current;
    if (token.type !== 'eof') this.index++;
    return token;
  }

  is(type: TokenType, value?: string): boolean {
    return this.current.type === type && (value === undefined || this.current.value === value);
  }

  isOperator(value: string): boolean {
    return this.is('operator', value);
  }

  isName(...names: readonly string[]): boolean {
    return this.current.type === 'name' && names.includes(this.current.value);
  }

  skip(type: TokenType, value: string): boolean {
    if (!this.is(type, value)) return false;
    this.index++;
    return true;
  }

  expect(type: TokenType, value?: string): Token {
    if (!this.is(type, value))
      throw this.unexpected(value === undefined ? type.replace('_', ' ') : `'${value}'`);
    return this.next();
  }

  unexpected(expected?: string): TemplateError {
    const found = describe(this.current);
    return this.error(expected === undefined ? `unexpected ${found}` : `expected ${expected}, got ${found}`);
  }

  error(message: string, line = this.current.line): TemplateError {
    return new TemplateError(message, line);
  }

  /** Runs a rule of the grammar one level deeper. @throws TemplateError beyond the maximum, before the stack overflows */
  nested<Result>(rule: () => Result): Result {
    if (++this.depth > MAX_DEPTH) throw this.error(`the template nests deeper than ${MAX_DEPTH} levels`);
    const result = rule();
    this.depth--;
    return result;
  }

  /** Returns the depth of a node above these. @throws TemplateError beyond the maximum */
  depthAbove(children: readonly ({ readonly depth: number } | undefined)[], line: number): number {
    let depth = 0;
    for (const child of children) if (child !== undefined && child.depth > depth) depth = child.depth;
    if (depth >= MAX_DEPTH) throw this.error(`the template nests deeper than ${MAX_DEPTH} levels`, line);
    return depth + 1;
  }
}

function describe({ type, value }: Token): string {
  if (type === 'eof') return 'end of template';
  if (type === 'name' || type === 'operator') return `'${value}'`;
  return type.replace('_', ' ');
}
