import type { Binder } from '../engine/binder.js';
import { exactText, isJsonField, rawValues, type StoredValue } from './stored-value.js';
import type { JsonForm } from './json-form.js';

/** Texts that a filter compares with, and the forms of those that are JSON. */
interface ComparedTexts {
  readonly texts: readonly string[];
  readonly forms: readonly JsonForm[];
}

/** Returns whether a stored value is one of the texts: a string is itself, any other value its compact JSON. */
export function equalToAny(stored: StoredValue, { texts, forms }: ComparedTexts, binder: Binder): string {
  const { root, isNested } = stored.path;
  if (!isNested) {
    const equal = isJsonField(root) ? forms.flatMap((form) => form.stored) : texts;
    return `ifNull(${exactText(stored, binder)} IN ${binder.texts(equal)}, 0)`;
  }
  const isText = `JSONExtractString(raw) IN ${binder.texts(texts)}`;
  const isJson = forms.length === 0 ? '0' : jsonCondition(forms, root, binder);
  return `arrayExists(raw -> if(startsWith(raw, '"'), ${isText}, ${isJson}), ${rawValues(stored, binder)})`;
}

/** Where the engine loses digits, the column has to contain the whole value as well. */
function jsonCondition(forms: readonly JsonForm[], column: string, binder: Binder): string {
  const exact = forms.filter(({ isAmbiguous }) => !isAmbiguous);
  const conditions = forms
    .filter(({ isAmbiguous }) => isAmbiguous)
    .map(
      ({ extracted, stored }) =>
        `(raw = ${binder.text(extracted)} AND position(${column}, ${binder.text(stored.at(-1) ?? '')}) > 0)`,
    );
  if (exact.length > 0) conditions.push(`raw IN ${binder.texts(exact.map(({ extracted }) => extracted))}`);
  return `(${conditions.join(' OR ')})`;
}
