import { randomBytes } from 'node:crypto';
import type { JsonValue } from './json.js';
import './raw-json.js';

/** Integers with fewer digits are numbers. */
const MIN_DIGITS = 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const INTEGER = /^-?[1-9]\d+$/;
const COLON = /[ \t\n\r]*:/y;
/** An integer beyond 64 bits as it is stored: one digit before the point and all others behind it. */
const STORED_INTEGER = /^(-?\d)\.(\d+)e\+(\d+)$/;
/** A number with enough digits, outside of texts. */
const LONG_NUMBER = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g;

/** Begins a text that stands for an integer while JSON is parsed. A sender cannot know it. */
const MARK = `\u007f${randomBytes(12).toString('base64url')}:`;

/**
 * Parses JSON text. An integer that a number cannot hold digit for digit is a `bigint`, which `JSON.stringify` writes as its
 * digits; every other number is a number, as with `JSON.parse`.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): JsonValue {
  return parse(text, integerOf);
}

/** Like {@link parseExactJson}, for a stored text, in which integers beyond 64 bits are written with an exponent. */
export function parseStoredJson(text: string): JsonValue {
  return parse(text, storedIntegerOf);
}

/** Whether a JSON number in this form is an integer that a number does not hold digit for digit. */
export function isLargeInteger(text: string): boolean {
  return text.length >= MIN_DIGITS && INTEGER.test(text) && String(Number(text)) !== text;
}

const [MIN_INTEGER, MAX_INTEGER] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Whether an integer is neither a signed nor an unsigned one of 64 bits. */
export function isBeyond64Bits(integer: bigint): boolean {
  return integer < MIN_INTEGER || integer > MAX_INTEGER;
}

/** A JSON text that stands for an integer until {@link restoreIntegers}. */
export function markedInteger(digits: string): string {
  return `"${MARK}${digits}"`;
}

/** Replaces what {@link markedInteger} wrote by the integers, in place; returns the value. */
export function restoreIntegers(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = restoreIntegers(value[at] as JsonValue);
    return value;
  }
  for (const key in value) {
    const held = value[key] as JsonValue;
    const restored = restoreIntegers(held);
    if (restored !== held) value[key] = restored;
  }
  return value;
}

/** Returns the digits of a number that is a large integer. */
type IntegerIn = (number: string) => string | undefined;

function parse(text: string, integerIn: IntegerIn): JsonValue {
  const marked = mayHoldLongNumber(text) ? withMarks(text, integerIn) : text;
  const value = JSON.parse(marked) as JsonValue;
  return marked === text ? value : restoreIntegers(value);
}

function integerOf(number: string): string | undefined {
  return isLargeInteger(number) ? number : undefined;
}

function storedIntegerOf(number: string): string | undefined {
  const [, first = '', others = '', exponent] = STORED_INTEGER.exec(number) ?? [];
  if (others.length === Number(exponent) && others.length >= MIN_DIGITS) return first + others;
  return integerOf(number);
}

/** Whether there are {@link MIN_DIGITS} digits in a row, of which one is at every sixteenth place. */
function mayHoldLongNumber(text: string): boolean {
  const { length } = text;
  for (let at = MIN_DIGITS - 1; at < length; at += MIN_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let [start, end] = [at, at + 1];
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(end))) end++;
    // The digits of an id in quotes are a text.
    if (end - start >= MIN_DIGITS && text.charCodeAt(start - 1) !== QUOTE) return true;
    at = end - 1;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function withMarks(text: string, integerIn: IntegerIn): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    for (const { number, from, digits } of integersBetween(text, at, end, integerIn)) {
      parts.push(text.slice(copied, from), markedInteger(digits));
      copied = from + number.length;
    }
    at = quote === -1 ? end : endOfText(text, quote);
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(copied));
  return parts.join('');
}

/** The large integers of a part of the text that has no quotes. */
function* integersBetween(text: string, start: number, end: number, integerIn: IntegerIn) {
  if (end - start < MIN_DIGITS) return;
  for (const { 0: number, index } of text.slice(start, end).matchAll(LONG_NUMBER)) {
    const digits = integerIn(number);
    const from = start + index;
    if (digits !== undefined && !isFollowedByColon(text, from + number.length))
      yield { number, from, digits };
  }
}

/** A number in the place of a key stays, and the parser refuses it. */
function isFollowedByColon(text: string, at: number): boolean {
  COLON.lastIndex = at;
  return COLON.test(text);
}

/** Returns the index behind the quote that ends a text. */
function endOfText(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}
