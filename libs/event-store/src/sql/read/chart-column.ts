import { EVENT_SHAPE, namesWhere } from '@assay/domain';
import { isIndexedPath } from '../../rows/index-leaves.js';
import type { Binder } from '../engine/binder.js';
import { readAs } from '../filter/read-as.js';
import { exactText, jsonNumber, numberOf, storedValue } from '../filter/stored-value.js';

const NUMBER_COLUMNS: readonly string[] = namesWhere(EVENT_SHAPE.fields, ({ type }) =>
  type.startsWith('number'),
);

/** Characters of the name of a group. */
const MAX_GROUP_LENGTH = 256;

/**
 * What a chart reads of a field: a number (booleans are 1 and 0), any value as text, or the text to group by, which has
 * at most 256 characters. All are nullable.
 */
export type ChartReading = 'number' | 'text' | 'group';

/** Where a chart finds the value of a field. */
export interface ChartColumn {
  /** Over a row of the narrow table; where `exact` is present too, only if the leaves of the row are complete. */
  readonly indexed?: string;
  /** Over the stored object; absent for a field with a column of its own. */
  readonly exact?: string;
  /** Whether `exact` is over the payload table. */
  readonly inPayload: boolean;
}

/** The value of a field in a chart. A field that no event has is null. */
export function chartColumn(field: string, reading: ChartReading, binder: Binder): ChartColumn {
  const stored = storedValue(field);
  if (stored === undefined) return { indexed: 'NULL', inPayload: false };
  const text = exactText(stored, binder);
  const { leaf, inPayload } = stored;
  if (leaf === undefined && !inPayload) return { indexed: columnValue(field, text, reading), inPayload };
  const exact = { number: numberOfText, text: (any: string) => any, group: shortText }[reading](text);
  if (leaf === undefined || reading === 'text' || !isIndexedPath(leaf)) return { exact, inPayload };
  const key = binder.text(leaf);
  if (reading === 'number' && !inPayload) return { indexed: indexedNumber(key, text), exact, inPayload };
  return { indexed: leafValue(key, reading), exact, inPayload };
}

function columnValue(field: string, text: string, reading: ChartReading): string {
  if (reading === 'group') return `substringUTF8(${text}, 1, ${MAX_GROUP_LENGTH})`;
  if (reading === 'text') return text;
  return NUMBER_COLUMNS.includes(field) ? `toNullable(${numberOf(field)})` : numberOfText(text);
}

function numberOfText(text: string): string {
  return `arrayMap(v -> coalesce(${readAs('number', 'v')}, toFloat64(${readAs('boolean', 'v')})), [${text}])[1]`;
}

/**
 * The number of a leaf of the narrow table; a boolean is read from the object, whose text is much smaller than the texts of
 * all leaves.
 */
function indexedNumber(key: string, text: string): string {
  return `if(mapContains(nums, ${key}), nums[${key}], toFloat64(${readAs('boolean', text)}))`;
}

/** A boolean is the text `true` or `false`. Of a text that holds a number both are known. */
function leafValue(key: string, reading: 'number' | 'group'): string {
  if (reading === 'number')
    return `multiIf(mapContains(nums, ${key}), nums[${key}], lower(attrs[${key}]) = 'true', 1, lower(attrs[${key}]) = 'false', 0, NULL)`;
  const number = jsonNumber(`toString(nums[${key}])`);
  return shortText(
    `multiIf(mapContains(attrs, ${key}), attrs[${key}], mapContains(nums, ${key}), ${number}, NULL)`,
  );
}

/** The index has no long text, no list and no object: with or without it, these are no groups. */
function shortText(text: string): string {
  return `arrayMap(t -> if(lengthUTF8(t) > ${MAX_GROUP_LENGTH} OR startsWith(t, '{') OR startsWith(t, '['), NULL, t), [${text}])[1]`;
}
