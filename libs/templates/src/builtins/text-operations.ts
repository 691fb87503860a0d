import type { Budget } from '../limits.js';
import type { Bound } from '../values/arguments.js';
import { charactersOf, lengthOf, sliceText } from '../values/code-points.js';
import { chargeSearch, searchFor } from '../values/search-text.js';

const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** Returns `str.splitlines()`. */
export function splitLines(text: string, keepsEnds = false): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const end of text.matchAll(LINE_END)) {
    lines.push(text.slice(start, keepsEnds ? end.index + end[0].length : end.index));
    start = end.index + end[0].length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

export function capitalize(text: string): string {
  const first = sliceText(text, 0, 1);
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Returns `str.title()`: upper case behind everything that has no case. */
export function titleWords(text: string): string {
  let isInWord = false;
  return charactersOf(text)
    .map((character) => {
      const changed = isInWord ? character.toLowerCase() : character.toUpperCase();
      isInWord = hasCase(character);
      return changed;
    })
    .join('');
}

const hasCase = (character: string) => character.toLowerCase() !== character.toUpperCase();

/** Returns `str.center()`, with CPython's choice of the side that gets the odd character. */
export function center(
  text: string,
  { width, fill = ' ' }: { width: number; fill?: string },
  budget: Budget,
): string {
  budget.scan(text.length);
  const missing = width - lengthOf(text);
  if (missing <= 0) return text;
  budget.text(text.length + missing * fill.length);
  const left = Math.floor(missing / 2) + (missing % 2 === 1 && width % 2 === 1 ? 1 : 0);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

interface Replacement {
  readonly text: string;
  readonly old: string;
  readonly next: string;
  /** Maximum number of replacements; below 0 all. */
  readonly count: number;
}

/** Returns `str.replace()`; the length of the result is charged before it is made. */
export function replaceText({ text, old, next, count }: Replacement, budget: Budget): string {
  // The text is read twice.
  chargeSearch(text, old, budget);
  chargeSearch(text, old, budget);
  const limit = count < 0 ? Infinity : count;
  if (old === '') return insertBetween(charactersOf(text), next, limit, budget);
  const search = searchFor(old, budget);
  let found = 0;
  for (let at = search(text, 0); at >= 0 && found < limit; at = search(text, at + old.length)) found++;
  budget.text(Math.max(text.length, text.length + found * (next.length - old.length)));
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < found; index++) {
    const at = search(text, start);
    parts.push(text.slice(start, at), next);
    start = at + old.length;
  }
  return parts.join('') + text.slice(start);
}

function insertBetween(characters: readonly string[], next: string, limit: number, budget: Budget): string {
  const insertions = Math.min(limit, characters.length + 1);
  budget.text(characters.length * 2 + insertions * next.length);
  const parts = characters.map((character, index) => (index < insertions ? next + character : character));
  return parts.join('') + (insertions > characters.length ? next : '');
}

/** Returns the characters that `strip` removes from a text, or undefined for white space. */
export function strippedCharacters(text: string, bound: Bound, budget: Budget): string | undefined {
  const characters = bound.optionalText('chars');
  budget.characters(characters?.length ?? 0);
  // A text is read as code points when they may be among the characters.
  if (characters !== undefined) budget.characters(text.length);
  return characters;
}
