import { isBeyond64Bits, isLargeInteger, parseExactJson } from '@assay/domain';
import { mapJsonTokens, writeHugeIntegersAsFloats } from '@assay/event-rows';

/** The JSON of a value, as it is in two places. */
export interface JsonForm {
  /** In a column: two texts where the integers of others of its event decide how long ones are written. */
  readonly stored: readonly string[];
  /** As the engine writes it when it takes the value out of a column. */
  readonly extracted: string;
  /** Whether other values are written like this, too: the engine reads an integer beyond 64 bits as the nearest double. */
  readonly isAmbiguous: boolean;
}

/**
 * Returns the forms of a text that is the JSON of a value other than a string, written as `JSON.stringify` writes it; undefined for any
 * other text, which equals no such value.
 */
export function jsonForm(text: string): JsonForm | undefined {
  if (!MAY_BE_JSON.test(text) || !isCompactJson(text)) return undefined;
  const stored = [...(hasNumber(text, isHuge) ? [] : [text]), writeHugeIntegersAsFloats(text)];
  return { stored, extracted: extractedForm(text), isAmbiguous: hasNumber(text, isInexact) };
}

/** Of other texts the parser would report where they are wrong. No number that is stored has more than 309 digits. */
const MAY_BE_JSON = /^(?:-?\d[\d.eE+-]{0,330}|\{.*\}|\[.*\]|true|false)$/s;

function isCompactJson(text: string): boolean {
  try {
    return JSON.stringify(parseExactJson(text)) === text;
  } catch {
    // Not JSON, or nested more deeply than any value that is stored.
    return false;
  }
}

/** Code units below this one are escaped by their code, unless there is a letter for them. */
const CODE = /\\u00(1[a-f]|0[bef])|[\u2028\u2029]|\\./g;

function extractedForm(text: string): string {
  return mapJsonTokens(text, (token) =>
    token.startsWith('"') ? token.replace(CODE, extractedEscape) : extractedNumber(token),
  );
}

/** The engine writes codes in capital letters, and escapes the two separators of lines. */
function extractedEscape(found: string, code?: string): string {
  if (code !== undefined) return `\\u00${code.toUpperCase()}`;
  return found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16)}`;
}

/** The engine writes exponents without a plus. */
function extractedNumber(number: string): string {
  const written = isHuge(number) ? String(Number(number)) : number;
  return written.replace('e+', 'e');
}

function hasNumber(text: string, isOne: (number: string) => boolean): boolean {
  let isFound = false;
  mapJsonTokens(text, (token) => {
    isFound ||= isOne(token);
    return token;
  });
  return isFound;
}

function isInexact(number: string): boolean {
  return isLargeInteger(number) && isHuge(number);
}

const INTEGER = /^-?\d{19,}$/;

function isHuge(number: string): boolean {
  return INTEGER.test(number) && isBeyond64Bits(BigInt(number));
}
