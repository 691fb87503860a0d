/** Marks without a width that say which way the text beside them reads. Texts in Arabic and Hebrew have them. */
const DIRECTION_MARKS = '\\u200e\\u200f\\u061c';
/**
 * What draws nothing, or turns the direction of what follows it: controls but tabs and ends of lines, embeddings, overrides and isolates,
 * spaces without a width, fillers, and tags. Joiners, variation selectors and the tags of a flag are parts of
 * letters.
 */
const OTHERS = [
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2028-\\u202e\\u2060-\\u206f\\u3164',
  '\\ufeff\\uffa0\\ufff9-\\ufffb]|(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0000}-\\u{e007f}]',
].join('');

/** One such character. */
export const HIDDEN = new RegExp(`[${DIRECTION_MARKS}]|${OTHERS}`, 'gu');
const IS_HIDDEN = new RegExp(HIDDEN.source, 'u');
const RUNS = new RegExp(`([${DIRECTION_MARKS}]+|(?:${OTHERS})+)`, 'u');
const IS_DIRECTION_MARK = new RegExp(`^[${DIRECTION_MARKS}]`);

/** Characters whose code a mark names. */
const MAX_NAMED = 3;
/** Marks of one text. What is left of it is one piece that turns nothing around it. */
const MAX_MARKS = 500;

/** A part of a text: as it is, or characters that are hidden, with the text of their mark. */
export type Piece =
  | { readonly kind: 'text' | 'rest'; readonly text: string }
  | { readonly kind: 'hidden' | 'direction'; readonly text: string; readonly label: string };

export const hasHidden = (text: string): boolean => IS_HIDDEN.test(text);

/** Splits a text at characters that no reader sees. The pieces together are the text. */
export function piecesOf(text: string): readonly Piece[] {
  // A text, a run, a text and so on.
  const parts = text.split(RUNS);
  const marked = parts.slice(0, 2 * MAX_MARKS + 1);
  const rest = parts.slice(marked.length).join('');
  const pieces = marked.map((part, at): Piece =>
    at % 2 === 0 ? { kind: 'text', text: part } : hidden(part),
  );
  return [...pieces, { kind: 'rest', text: rest } as const].filter((piece) => piece.text !== '');
}

/** The text as attributes and titles have it: a mark is text there. */
export const withMarks = (text: string): string => text.replace(HIDDEN, (one) => `[${codeOf(one)}]`);

function hidden(run: string): Piece {
  const characters = [...run];
  const named = characters.slice(0, MAX_NAMED).map(codeOf).join(' ');
  const label = characters.length > MAX_NAMED ? `${named} +${characters.length - MAX_NAMED}` : named;
  return { kind: IS_DIRECTION_MARK.test(run) ? 'direction' : 'hidden', text: run, label };
}

/** `U+202E`. */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
