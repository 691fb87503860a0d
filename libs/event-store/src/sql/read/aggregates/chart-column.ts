import { EVENT_SHAPE, namesWhere } from '@assay/domain';
import { isIndexedPath } from '@assay/event-rows';
import type { Binder } from '../../engine/binder.js';
import { readAs } from '../../filter/read-as.js';
import { exactScalar, exactText, jsonNumber, numberOf, storedValue } from '../../filter/stored-value.js';

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
  /** With `indexed` and `exact`: the same value over rows of which none has one of the exceptions. */
  readonly simple?: SimpleValue;
  /** Whether `exact` is over the payload table. */
  readonly inPayload: boolean;
}

/** The value of a field that the index of numbers, or of texts, has alone. */
export interface SimpleValue {
  /** Over a row of the narrow table. */
  readonly value: string;
  /** Items of the index: a row with one of them may have another value, or is not complete. */
  readonly exceptions: readonly string[];
}

/** Item of the index of the events whose leaves are incomplete. */
const INCOMPLETE_ITEM = '=';

/** The value of a field in a chart. A field that no event has is null. */
export function chartColumn(field: string, reading: ChartReading, binder: Binder): ChartColumn {
  const stored = storedValue(field);
  if (stored === undefined) return { indexed: 'NULL', inPayload: false };
  const text = exactText(stored, binder);
  const { leaf, inPayload } = stored;
  const isRoot = !stored.path.isNested;
  if (isRoot && !inPayload) return { indexed: columnValue(field, text, reading), inPayload };
  const exact =
    reading === 'group'
      ? shortText(exactScalar(stored, binder))
      : reading === 'number'
        ? numberOfText(text)
        : text;
  if (leaf === undefined || reading === 'text' || !isIndexedPath(leaf)) return { exact, inPayload };
  const key = binder.text(leaf);
  if (reading === 'group') {
    const indexed = indexedGroup(key);
    return { indexed, exact, simple: { value: indexed, exceptions: [INCOMPLETE_ITEM] }, inPayload };
  }
  const simple = {
    value: `if(mapContains(nums, ${key}), nums[${key}], NULL)`,
    exceptions: [INCOMPLETE_ITEM, ...BOOLEAN_TEXTS.map((boolean) => `${leaf}=${boolean}`)],
  };
  return { indexed: inPayload ? indexedNumber(key) : narrowNumber(key, text), exact, simple, inPayload };
}

/** All texts that read as a boolean. */
const BOOLEAN_TEXTS = ['true', 'false'].flatMap(casesOf);

/** A text in any mixture of lower and upper case. */
function casesOf(text: string): string[] {
  if (text === '') return [''];
  const [first = '', ...others] = text;
  return casesOf(others.join('')).flatMap((rest) => [first.toLowerCase() + rest, first.toUpperCase() + rest]);
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
function narrowNumber(key: string, text: string): string {
  return `if(mapContains(nums, ${key}), nums[${key}], toFloat64(${readAs('boolean', text)}))`;
}

/** A boolean is the text `true` or `false`. */
function indexedNumber(key: string): string {
  return `multiIf(mapContains(nums, ${key}), nums[${key}], lower(attrs[${key}]) = 'true', 1, lower(attrs[${key}]) = 'false', 0, NULL)`;
}

/** Of a text that holds a number both are known. */
function indexedGroup(key: string): string {
  const number = jsonNumber(`toString(nums[${key}])`);
  return shortText(
    `multiIf(mapContains(attrs, ${key}), attrs[${key}], mapContains(nums, ${key}), ${number}, NULL)`,
  );
}

/** The index has no long text: with or without it, these are no groups. */
function shortText(text: string): string {
  return `arrayMap(t -> if(lengthUTF8(t) > ${MAX_GROUP_LENGTH}, NULL, t), [${text}])[1]`;
}
