import type { Budget } from '../limits.js';

/** Patterns up to this length are searched by the runtime, whose worst case is the product of both lengths. */
const SHORT_PATTERN = 8;
/** What a search by {@link knuthMorrisPratt} costs, relative to reading the text once. */
const SEARCH_COST = 3;

/** Returns the offset at which a pattern begins in the text, not before `from`; -1 when there is none. */
export type Search = (text: string, from: number) => number;

/** Returns a search for a pattern that is not empty, in time linear in the text. Charges the preparation of the pattern. */
export function searchFor(pattern: string, budget: Budget): Search {
  if (pattern.length <= SHORT_PATTERN) return (text, from) => text.indexOf(pattern, from);
  budget.scan(pattern.length * SEARCH_COST);
  const unit = (text: string, index: number) => text.charCodeAt(index);
  const borders = bordersOf(pattern, unit);
  return (text, from) => knuthMorrisPratt({ text, pattern, borders, from, unit });
}

/** Returns the offset of the first occurrence, like `indexOf`. Linear in both lengths, and charged so. */
export function findFirst(text: string, pattern: string, budget: Budget): number {
  if (pattern.length > text.length) return -1;
  chargeSearch(text, pattern, budget);
  return pattern === '' ? 0 : searchFor(pattern, budget)(text, 0);
}

/** Returns the offset of the last occurrence, like `lastIndexOf`. Linear in both lengths, and charged so. */
export function findLast(text: string, pattern: string, budget: Budget): number {
  if (pattern.length > text.length) return -1;
  chargeSearch(text, pattern, budget);
  if (pattern.length <= SHORT_PATTERN) return text.lastIndexOf(pattern);
  budget.scan(pattern.length * SEARCH_COST);
  const unit = (read: string, index: number) => read.charCodeAt(read.length - 1 - index);
  const at = knuthMorrisPratt({ text, pattern, borders: bordersOf(pattern, unit), from: 0, unit });
  return at < 0 ? -1 : text.length - at - pattern.length;
}

/** Returns the parts between the occurrences of a separator that is not empty, like `split`. Linear, and charged so. */
export function splitAt(text: string, separator: string, budget: Budget): string[] {
  chargeSearch(text, separator, budget);
  if (separator.length <= SHORT_PATTERN) return text.split(separator);
  const search = searchFor(separator, budget);
  const parts: string[] = [];
  let start = 0;
  for (let at = search(text, 0); at >= 0; at = search(text, start)) {
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** Charges reading a text for a pattern of this length. */
export function chargeSearch(text: string, pattern: string, budget: Budget): void {
  budget.scan(text.length * (pattern.length <= SHORT_PATTERN ? 1 : SEARCH_COST));
}

/** Reads the unit at an index, from the start or from the end. */
type UnitAt = (text: string, index: number) => number;

/** Length of the longest proper prefix of the pattern that is also a suffix, for each of its prefixes. */
function bordersOf(pattern: string, unit: UnitAt): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let index = 1; index < pattern.length; index++) {
    const next = unit(pattern, index);
    while (length > 0 && unit(pattern, length) !== next) length = borders[length - 1] as number;
    if (unit(pattern, length) === next) length++;
    borders[index] = length;
  }
  return borders;
}

interface KnuthMorrisPratt {
  readonly text: string;
  readonly pattern: string;
  readonly borders: Int32Array;
  readonly from: number;
  readonly unit: UnitAt;
}

function knuthMorrisPratt({ text, pattern, borders, from, unit }: KnuthMorrisPratt): number {
  let matched = 0;
  for (let index = from; index < text.length; index++) {
    const next = unit(text, index);
    while (matched > 0 && unit(pattern, matched) !== next) matched = borders[matched - 1] as number;
    if (unit(pattern, matched) === next) matched++;
    if (matched === pattern.length) return index - matched + 1;
  }
  return -1;
}
