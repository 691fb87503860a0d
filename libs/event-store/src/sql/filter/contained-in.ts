import type { Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import {
  exactText,
  isJsonField,
  jsonNumber,
  rawValues,
  textOfRaw,
  type StoredValue,
} from './stored-value.js';

/** A key of an object, or else a text, number or boolean, which is the group. */
const VALUE = String.raw`"(?:[^"\\\\]|\\\\.)*":|("(?:[^"\\\\]|\\\\.)*"|-?[0-9][0-9.eE+-]*|true|false)`;

/**
 * Returns whether a stored value contains a text, whatever its case: a list or an object does when one of the values within it
 * does. Its keys and its JSON do not count.
 */
export function containedIn(stored: StoredValue, part: Filter['value'], binder: Binder): string {
  const { root, isNested } = stored.path;
  if (!isNested) {
    const text = exactText(stored, binder);
    return isJsonField(root)
      ? valuesContain(text, part, storedNumber, binder)
      : textContains(text, part, binder);
  }
  const isStructure = `(startsWith(raw, '{') OR startsWith(raw, '['))`;
  const holds = `if(${isStructure}, ${valuesContain('raw', part, jsonNumber, binder)}, ${textContains(textOfRaw('raw'), part, binder)})`;
  return `arrayExists(raw -> ${holds}, ${rawValues(stored, binder)})`;
}

/** Returns whether a nullable text contains a text. */
export function textContains(text: string, part: Filter['value'], binder: Binder): string {
  return typeof part === 'string'
    ? `ifNull(position(${folded(text)}, ${folded(binder.text(part))}) > 0, 0)`
    : 'false';
}

function valuesContain(
  json: string,
  part: Filter['value'],
  numberText: (token: string) => string,
  binder: Binder,
): string {
  const text = `if(startsWith(token, '"'), JSONExtractString(token), ${numberText('token')})`;
  const contains = `token != '' AND ${textContains(text, part, binder)}`;
  return `arrayExists(token -> ${contains}, extractAll(${json}, '${VALUE}'))`;
}

/** An integer in a column that has an exponent, because it has more than 64 bits: its first digit, the others and their number. */
const STORED_INTEGER = String.raw`^(-?[0-9])(?:\\.([0-9]+))?e\\+([0-9]+)$`;
/** Other numbers of a column have an exponent from this one on. */
const EXPONENT_FROM = 21;

/** Returns the digits of such an integer. Numbers that are no integers have fewer digits behind the point. */
function storedNumber(token: string): string {
  const length = 'toUInt32OrZero(n[3])';
  const isInteger = `length(n) = 3 AND (${length} < ${EXPONENT_FROM} OR length(n[2]) = ${length})`;
  const digits = `if(${isInteger}, concat(n[1], rightPad(n[2], ${length}, '0')), ${token})`;
  return `arrayMap(n -> ${digits}, [extractGroups(${token}, '${STORED_INTEGER}')])[1]`;
}

/** A capital sigma at the end of a word has another small letter. */
function folded(text: string): string {
  return `replaceAll(lowerUTF8(${text}), 'ς', 'σ')`;
}
