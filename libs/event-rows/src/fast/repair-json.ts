import { isBeyond64Bits, isLargeInteger } from '@assay/domain';

const REPLACEMENT = '\ufffd';
/** Every escape sequence, so that an escaped backslash before `u0000` is not mistaken for a NUL. */
const ESCAPES = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * JSON text with NUL and unpaired surrogates replaced by U+FFFD. `JSON.stringify` writes both as escapes and
 * pairs of surrogates as they are, so looking for the escapes is enough.
 */
export function repairEscapes(json: string): string {
  if (!json.includes('\\u0000') && !json.includes('\\ud')) return json;
  return json.replace(ESCAPES, repaired);
}

function repaired(escape: string): string {
  return escape === '\\u0000' || escape.startsWith('\\ud') ? REPLACEMENT : escape;
}

/** A string, or a whole number token. The string is unrolled so that long ones cost no stack. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Integers with enough digits to exceed 64 bits, without a fraction or an exponent. */
const LONG_INTEGER = /^-?\d{19,}$/;
const MANY_DIGITS = /\d{19}/;

/**
 * JSON text whose integers of 19 and more digits have an exponent: `100000000000000000000` becomes `1e+20`,
 * the same number to every reader. Digits that a number does not hold stay, all but one behind the point, and
 * `parseStoredJson` of the domain reads them. The engine's parser refuses a whole document for one integer
 * beyond 64 bits.
 */
export function writeHugeIntegersAsFloats(json: string): string {
  return mapJsonTokens(json, (token) => (LONG_INTEGER.test(token) ? withExponent(token) : token));
}

/** Whether JSON text has an integer beyond 64 bits. */
export function hasHugeIntegerText(json: string): boolean {
  if (!MANY_DIGITS.test(json)) return false;
  let isFound = false;
  mapJsonTokens(json, (token) => {
    isFound ||= LONG_INTEGER.test(token) && isBeyond64Bits(BigInt(token));
    return token;
  });
  return isFound;
}

/** Returns JSON text with each string, in its quotes, and each number replaced. */
export function mapJsonTokens(json: string, replace: (token: string) => string): string {
  return json.replace(STRING_OR_NUMBER, replace);
}

function withExponent(integer: string): string {
  if (!isLargeInteger(integer)) return Number(integer).toExponential();
  if (!isBeyond64Bits(BigInt(integer))) return integer;
  const first = integer.startsWith('-') ? 2 : 1;
  const others = integer.slice(first);
  return `${integer.slice(0, first)}.${others}e+${others.length}`;
}
