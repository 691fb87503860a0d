/** Strings are sequences of code points in Python and of UTF-16 units in JavaScript. */

const SURROGATE = /[\ud800-\udfff]/;

export function lengthOf(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let length = text.length;
  for (let index = 1; index < text.length; index++)
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) length--;
  return length;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/** Characters of a text, one code point each. */
export function charactersOf(text: string): string[] {
  return SURROGATE.test(text) ? Array.from(text) : text.split('');
}

/** Whether every character is one UTF-16 unit. */
export function isPlain(text: string): boolean {
  return !SURROGATE.test(text);
}

/** Returns `text[start:end]` for bounds of at least 0. Reads the text up to the end only. */
export function sliceText(text: string, start: number, end: number): string {
  const from = unitOffset(text, start, 0);
  return text.slice(from, unitOffset(text, end - start, from));
}

/** Offset of the unit that is so many characters behind another. */
export function unitOffset(text: string, characters: number, from: number): number {
  let offset = from;
  for (let count = 0; count < characters && offset < text.length; count++)
    offset += (text.codePointAt(offset) as number) > 0xffff ? 2 : 1;
  return offset;
}

/** Orders texts by code points. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Units of surrogates are characters above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const SPACE_CHARACTER = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function isSpace(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code > 0x20 && code < 0x85) return false;
  return SPACE_CHARACTER.test(character);
}

/** Removes characters at the sides; Python's white space when none are given. */
export function strip(text: string, characters?: string, sides: 'both' | 'left' | 'right' = 'both'): string {
  const isStripped =
    characters === undefined
      ? isSpace
      : (
          (set) => (character: string) =>
            set.has(character)
        )(new Set(charactersOf(characters)));
  const units = characters !== undefined && SURROGATE.test(characters) ? Array.from(text) : text;
  let start = 0;
  let end = units.length;
  if (sides !== 'right') while (start < end && isStripped(units[start] as string)) start++;
  if (sides !== 'left') while (end > start && isStripped(units[end - 1] as string)) end--;
  return typeof units === 'string' ? units.slice(start, end) : units.slice(start, end).join('');
}

/** Words between runs of white space. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let index = 0; index <= text.length; index++) {
    const isGap = index === text.length || isSpace(text[index] as string);
    if (isGap && start >= 0) words.push(text.slice(start, index));
    if (isGap) start = -1;
    else if (start < 0) start = index;
  }
  return words;
}
