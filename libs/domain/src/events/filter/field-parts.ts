/** Any item of a list, `[*]`. */
export const ANY_ITEM = Symbol('any item');

/** A step into a value: the key of an object, the index of an item of a list (-1 is the last one), or any item. */
export type PathPart = string | number | typeof ANY_ITEM;

/** A part of a field: `.key`, `[0]`, `[-1]`, `[*]`, `["key"]` or `['key']`. */
const PART = /\.([^.[\]]+)|\[(-?\d{1,9}|\*)\]|\["([^"]*)"\]|\['([^']*)'\]/y;

/**
 * Reads a field whose path has brackets. Undefined for one without them, and for one that is not written like that: its text is
 * a name as it is.
 */
export function bracketedParts(field: string): readonly PathPart[] | undefined {
  if (!field.includes('[')) return undefined;
  const [root = ''] = /^[^.[\]]*/.exec(field) ?? [];
  const parts: PathPart[] = [root];
  PART.lastIndex = root.length;
  while (PART.lastIndex < field.length) {
    const match = PART.exec(field);
    if (match === null) return undefined;
    const [, key, index, quoted, single] = match;
    if (index === undefined) parts.push(key ?? quoted ?? single ?? '');
    else parts.push(index === '*' ? ANY_ITEM : Number(index));
  }
  return parts;
}

/** A key that may stand behind a dot. */
const PLAIN_KEY = /^(?!\d+$)[\w-]+$/;

/** Returns a field of one plain key without its quotes, as in `metadata["cost"]`: a field has one spelling in all comparisons. */
export function withoutQuotes(field: string): string {
  const [root = '', key, ...more] = bracketedParts(field) ?? [];
  return more.length === 0 && typeof key === 'string' && PLAIN_KEY.test(key)
    ? `${String(root)}.${key}`
    : field;
}

/** What is wrong with a field that has an index between dots. */
export const DOTTED_INDEX =
  'must name an item of a list in brackets, such as inputs.messages[0].content, and a key of digits in quotes, such as metadata["0"]';

/** A segment between dots that other languages read as an index. */
const DOT_INDEX = /\.\d+(?=\.|\[|$)/;

/** Returns whether a field has an index between dots, which would be a key of digits. */
export function hasDottedIndex(field: string): boolean {
  return field.replace(/\["[^"]*"\]|\['[^']*'\]/g, '').search(DOT_INDEX) >= 0;
}
