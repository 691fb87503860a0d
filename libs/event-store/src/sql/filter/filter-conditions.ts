import { filtersOfText, withoutNegation, type Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import { directCondition } from './direct-condition.js';
import { booleansOf, comparisonOf, numberCondition, textsOf } from './filter-value.js';
import { equalToAny } from './equal-to.js';
import { jsonFormsOf } from './json-forms.js';
import { leafCondition } from './leaf-condition.js';
import { readAs } from './read-as.js';
import { containedIn, textContains } from './contained-in.js';
import { exactText, exactTexts, storedValue, type StoredValue } from './stored-value.js';

/**
 * One filter as conditions that agree with `matchesFilter` of the domain. Each is true or false, never null.
 */
export interface FilterConditions {
  /**
   * Whether the result is negated: events that do not satisfy the conditions match (`is not`, `not contains`,
   * `not exists`).
   */
  readonly negated: boolean;
  /**
   * Decides on a row of the narrow table; when there is an exact condition too, only where the leaves are
   * complete.
   */
  readonly narrow?: string;
  /** Decides on the stored value itself; absent when `narrow` decides for every event. */
  readonly exact?: string;
  /** Whether `exact` is a condition on the payload table. */
  readonly inPayload: boolean;
}

/** Conditions of a checked filter; its values are bound to `binder`. */
export function filterConditions(filter: Filter, binder: Binder): FilterConditions {
  const { negated, asked } = withoutNegation(filter);
  const searched = filtersOfText(asked);
  if (searched !== undefined) {
    const conditions = searched.map((one) => filterConditions(one, binder).exact ?? 'false');
    return { negated, exact: `(${conditions.join(' OR ')})`, inPayload: true };
  }
  const stored = storedValue(filter.field);
  if (stored === undefined) return { negated, narrow: 'false', inPayload: false };
  const direct = directCondition(asked, binder);
  if (direct !== undefined) return { negated, narrow: direct, inPayload: false };
  const narrow = stored.leaf === undefined ? undefined : leafCondition(asked, stored.leaf, binder);
  const exact = isTextEquality(asked)
    ? equalToAny(stored, { texts: textsOf(asked.value), forms: jsonFormsOf(filter) }, binder)
    : exactCondition(asked, stored, binder);
  const isJson = stored.leaf !== undefined || stored.inPayload;
  const needed = isJson ? containedText(asked, stored.path.root, binder) : undefined;
  return {
    negated,
    narrow,
    exact: needed === undefined ? exact : `(${needed} AND ${exact})`,
    inPayload: stored.inPayload,
  };
}

function isTextEquality({ operator, type }: Filter): boolean {
  return type === 'string' && (operator === 'is' || operator === 'in');
}

/** Decides on the value in the stored object, or on any of the values of a path to any item of a list. */
function exactCondition(asked: Filter, stored: StoredValue, binder: Binder): string {
  if (asked.operator === 'contains' && asked.value !== '') return containedIn(stored, asked.value, binder);
  const filter = asked.operator === 'contains' ? ({ ...asked, operator: 'exists' } as const) : asked;
  if (!stored.path.isMany) return textCondition(filter, exactText(stored, binder), binder);
  return `arrayExists(item -> ${textCondition(filter, 'item', binder)}, ${exactTexts(stored, binder)})`;
}

/** Fewest characters of a text that is looked for in stored JSON. */
const MIN_CONTAINED = 3;
/**
 * Characters that stored JSON contains as they are. Not `i` and `k`: other letters than the ASCII ones become these in lower
 * case. Not digits: the engine writes some numbers in another way.
 */
const UNESCAPED = /[a-hjl-z_ ]/i;
/** By code unit. */
const IS_UNESCAPED = Array.from({ length: 128 }, (_, unit) => UNESCAPED.test(String.fromCharCode(unit)));

/**
 * Returns a condition on the JSON in a column that holds whenever a value within it contains the text of a filter:
 * searching bytes is much cheaper than extracting the value. Undefined when the text has no suitable part.
 */
function containedText({ operator, value }: Filter, column: string, binder: Binder): string | undefined {
  if (operator !== 'contains' || typeof value !== 'string') return undefined;
  const longest = longestUnescaped(value);
  if (longest.length < MIN_CONTAINED) return undefined;
  return `positionCaseInsensitive(${column}, ${binder.text(longest)}) > 0`;
}

/** Returns the first longest run of {@link UNESCAPED} characters. A match for each run of 50 long texts would take half a second. */
function longestUnescaped(text: string): string {
  let [start, end] = [0, 0];
  for (let at = 0, from = 0; at < text.length; at++) {
    if (!IS_UNESCAPED[text.charCodeAt(at)]) from = at + 1;
    else if (at + 1 - from > end - start) [start, end] = [from, at + 1];
  }
  return text.slice(start, end);
}

/** Returns whether a positive filter holds for a value, which is read from a nullable text. */
export function textCondition(filter: Filter, text: string, binder: Binder): string {
  if (filter.operator === 'exists') return `isNotNull(${text})`;
  if (filter.operator === 'contains') return textContains(text, filter.value, binder);
  if (filter.type === 'number' || filter.type === 'datetime')
    return numberCondition(filter, readAs(filter.type, text), binder);
  if (comparisonOf(filter) !== undefined) return 'false';
  if (filter.type === 'boolean')
    return `ifNull(has(${booleansOf(filter.value)}, ${readAs('boolean', text)}), 0)`;
  return `ifNull(${text} IN ${binder.texts(textsOf(filter.value))}, 0)`;
}
