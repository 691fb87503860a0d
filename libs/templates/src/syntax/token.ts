export type TokenType =
  | 'data'
  | 'variable_begin'
  | 'variable_end'
  | 'block_begin'
  | 'block_end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof';

export interface Token {
  readonly type: TokenType;
  /** Text of data, a name or an operator; value of a string literal; digits of a number without separators. */
  readonly value: string;
  readonly line: number;
}

/** Python's white space, as a class of a regular expression. JavaScript's `\s` differs from it. */
export const SPACE =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
