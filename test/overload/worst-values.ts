/** Makes a value in JSON of about this many characters. */
export type WorstValue = (length: number) => string;

/** Below the most keys that one object of a body may have. */
const MAX_KEYS = 99_000;
/** Below the most values of a body. */
const MAX_VALUES = 1_900_000;
/** Below the maximum depth of a body, wherever the value is in it. */
const DEPTH = 50;
/** Below the most characters that the texts of a filter may have together, and their number. */
const LIST_CHARACTERS = 990_000;
const LIST_TEXTS = 1_000;

/** Values that are as much work as a value of their type can be. */
export const OBJECTS: Readonly<Record<string, WorstValue>> = {
  'an object with many keys': (length) => wide(length, '"x"'),
  'an object with keys and texts': (length) => wide(length, JSON.stringify('x'.repeat(80))),
  'deep objects': (length) => `${'{"n":'.repeat(DEPTH)}${wide(length, 'null')}${'}'.repeat(DEPTH)}`,
};
export const LISTS: Readonly<Record<string, WorstValue>> = {
  'a list of numbers': (length) => listOf('1', length),
  'a list of objects': (length) => listOf('{"a":"b"}', length),
};
export const TEXTS: Readonly<Record<string, WorstValue>> = {
  'a long text': (length) => `"${'é\\"'.repeat(length / 4)}"`,
};
export const FILTERS: Readonly<Record<string, WorstValue>> = {
  'filters with long lists': (length) => listOf(filter({ operator: 'in', value: texts(length) }), length),
  'filters with long texts': (length) =>
    listOf(filter({ operator: 'contains', value: 'x'.repeat(Math.min(length / 50, 65_000)) }), length, 50),
  'many filters': (length) => listOf(filter({ operator: 'not contains', value: 'x' }), length, 100_000),
};

/** A list of as many equal items as fit, at most `count`. */
export function listOf(item: string, length: number, count = MAX_VALUES): string {
  const fit = Math.floor(length / (item.length + 1));
  return `[${Array(Math.max(1, Math.min(count, fit)))
    .fill(item)
    .join()}]`;
}

function wide(length: number, value: string): string {
  const count = Math.min(MAX_KEYS, Math.floor(length / (value.length + '"key99999":,'.length)));
  return `{${Array.from({ length: count }, (_, n) => `"key${n}":${value}`).join()}}`;
}

function filter(fields: object): string {
  return JSON.stringify({ field: 'inputs.t', type: 'string', ...fields });
}

function texts(length: number): string[] {
  const characters = Math.min(LIST_CHARACTERS, length / 2) / LIST_TEXTS;
  return Array.from({ length: LIST_TEXTS }, (_, n) => `${n} `.padEnd(characters, 'x'));
}
