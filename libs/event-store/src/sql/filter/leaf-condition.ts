import type { Filter } from '@assay/domain';
import { MAX_INDEXED_LENGTH, isIndexedPath } from '@assay/event-rows';
import type { Binder } from '../engine/binder.js';
import { booleansOf, comparisonOf, numberCondition, textsOf } from './filter-value.js';

/** Maximum number of values that are looked up in the text index; for more values, the map is read. */
const MAX_INDEX_LOOKUPS = 20;

/**
 * The condition on the indexed leaves that decides for every event whose leaves are complete; undefined when
 * they cannot decide (presence, substrings, points in time, and text that may be the JSON of an object or is
 * too long to be indexed).
 */
export function leafCondition(filter: Filter, leaf: string, binder: Binder): string | undefined {
  if (!isIndexedPath(leaf) || filter.operator === 'exists' || filter.operator === 'contains')
    return undefined;
  if (filter.type === 'number') {
    const key = binder.text(leaf);
    return `(mapContains(nums, ${key}) AND ${numberCondition(filter, `nums[${key}]`, binder)})`;
  }
  if (comparisonOf(filter) !== undefined) return undefined;
  if (filter.type === 'boolean') return booleanLeaf(filter, binder.text(leaf));
  return filter.type === 'string' ? textLeaf(textsOf(filter.value), leaf, binder) : undefined;
}

function booleanLeaf(filter: Filter, key: string): string {
  return `(mapContains(attrs, ${key}) AND has(${booleansOf(filter.value)}, transform(lower(attrs[${key}]), ['true', 'false'], [1, 0], 2)))`;
}

function textLeaf(texts: readonly string[], leaf: string, binder: Binder): string | undefined {
  if (texts.some((text) => text.length > MAX_INDEXED_LENGTH || text.startsWith('{') || text.startsWith('[')))
    return undefined;
  const key = binder.text(leaf);
  const indexed = stringLeaf(texts, leaf, key, binder);
  const numbers = texts.filter((text) => String(Number(text)) === text && Number.isFinite(Number(text)));
  return numbers.length === 0 ? indexed : `(${indexed} OR ${isNumberText(numbers, key, binder)})`;
}

/**
 * The text index knows `path=value` items. An item with one `=` is of one path and one value; one with more
 * is ambiguous, so the map decides, as it does for lists that are too long to look up.
 */
function stringLeaf(texts: readonly string[], leaf: string, key: string, binder: Binder): string {
  const inMap = () => `(mapContains(attrs, ${key}) AND attrs[${key}] IN ${binder.texts(texts)})`;
  if (texts.length === 0 || texts.length > MAX_INDEX_LOOKUPS) return inMap();
  const items = texts.map((text) => `${leaf}=${text}`);
  const lookups = `(${items.map((item) => `has(kv, ${binder.text(item)})`).join(' OR ')})`;
  const isPlain = items.every((item) => item.indexOf('=') === item.lastIndexOf('='));
  return isPlain ? lookups : `(${lookups} AND ${inMap()})`;
}

/** A number matches its JSON text; a string with the same digits does not. */
function isNumberText(numbers: readonly string[], key: string, binder: Binder): string {
  const values = `arrayMap(v -> toFloat64(v), ${binder.texts(numbers)})`;
  return `(mapContains(nums, ${key}) AND NOT mapContains(attrs, ${key}) AND has(${values}, nums[${key}]))`;
}
