import { EVENT_SHAPE, namesWhere, type Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import { exactText, jsonNumber, rawValues, textOfRaw, type StoredValue } from './stored-value.js';

/** Fields whose text is JSON. */
const JSON_FIELDS: readonly string[] = namesWhere(
  EVENT_SHAPE.fields,
  ({ type }) => type === 'object' || type === 'textList',
);

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
    return JSON_FIELDS.includes(root) ? valuesContain(text, part, binder) : textContains(text, part, binder);
  }
  const isStructure = `(startsWith(raw, '{') OR startsWith(raw, '['))`;
  const holds = `if(${isStructure}, ${valuesContain('raw', part, binder)}, ${textContains(textOfRaw('raw'), part, binder)})`;
  return `arrayExists(raw -> ${holds}, ${rawValues(stored, binder)})`;
}

/** Returns whether a nullable text contains a text. */
export function textContains(text: string, part: Filter['value'], binder: Binder): string {
  return typeof part === 'string'
    ? `ifNull(position(${folded(text)}, ${folded(binder.text(part))}) > 0, 0)`
    : 'false';
}

function valuesContain(json: string, part: Filter['value'], binder: Binder): string {
  const text = `if(startsWith(token, '"'), JSONExtractString(token), ${jsonNumber('token')})`;
  const contains = `token != '' AND ${textContains(text, part, binder)}`;
  return `arrayExists(token -> ${contains}, extractAll(${json}, '${VALUE}'))`;
}

/** A capital sigma at the end of a word has another small letter. */
function folded(text: string): string {
  return `replaceAll(lowerUTF8(${text}), 'ς', 'σ')`;
}
