import { TemplateError } from '../template-error.js';

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const ESCAPE = /\\(?:x([\s\S]{0,2})|u([\s\S]{0,4})|U([\s\S]{0,8})|([0-7]{1,3})|([\s\S]))/g;
const MAX_CODE_POINT = 0x10ffff;

/** Returns the value of a string literal between its quotes, with the escapes of Python. Unknown escapes keep their backslash. */
export function unescapeString(text: string, line: number): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    ESCAPE,
    (_whole, ...[x, u, U, octal, other]: (string | undefined)[]) =>
      fromHex(x, 2, line) ??
      fromHex(u, 4, line) ??
      fromHex(U, 8, line) ??
      (octal === undefined ? escapeOf(other ?? '', line) : String.fromCodePoint(parseInt(octal, 8))),
  );
}

function fromHex(digits: string | undefined, length: number, line: number): string | undefined {
  if (digits === undefined) return undefined;
  const code = parseInt(digits, 16);
  if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits) || code > MAX_CODE_POINT)
    throw new TemplateError('a string has an incomplete escape', line);
  return String.fromCodePoint(code);
}

function escapeOf(character: string, line: number): string {
  if (character === 'N') throw new TemplateError('escapes by character name are not supported', line);
  return SIMPLE[character] ?? `\\${character}`;
}
