import { splitWords } from '../values/code-points.js';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\xa0',
};

/** Removes comments and tags, joins words with one space and resolves the common entities. */
export function stripTags(text: string): string {
  const plain = removeBetween(removeBetween(text, '<!--', '-->'), '<', '>');
  return splitWords(plain)
    .join(' ')
    .replace(
      /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return ENTITIES[name] ?? whole;
        const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
      },
    );
}

function removeBetween(text: string, open: string, close: string): string {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const begin = text.indexOf(open, start);
    const end = begin < 0 ? -1 : text.indexOf(close, begin);
    if (end < 0) break;
    parts.push(text.slice(start, begin));
    start = end + close.length;
  }
  return parts.join('') + text.slice(start);
}
