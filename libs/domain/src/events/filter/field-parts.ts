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

/** A segment between dots that other languages read as an index. */
const DOT_INDEX = /\.(\d+)(?=\.|\[|$)/g;

/** Returns the spelling of a field with its indexes in brackets; undefined when none is written between dots. */
export function withBracketedIndexes(field: string): string | undefined {
  const outsideQuotes = field.replace(/\["[^"]*"\]|\['[^']*'\]/g, (quoted) => 'x'.repeat(quoted.length));
  if (outsideQuotes.search(DOT_INDEX) < 0) return undefined;
  return field.replace(DOT_INDEX, '[$1]');
}
