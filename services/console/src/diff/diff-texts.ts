import { diffLines, diffWordsWithSpace } from 'diff';

/** Part of two texts: in both, only in the old one, or only in the new one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

export interface TextDiff {
  /** By words, by lines when words take too long, or the whole texts when these do too. */
  readonly unit: 'words' | 'lines' | 'none';
  readonly parts: readonly DiffPart[];
}

/** Longest time of one comparison in milliseconds; the result is coarser when it does not suffice. */
const TIMEOUT_MS = 300;

type Change = ReturnType<typeof diffLines>[number];

/** Compares two texts word by word, as long as that ends in time. The parts are always both whole texts. */
export function diffTexts(before: string, after: string, timeout = TIMEOUT_MS): TextDiff {
  const words = diffWordsWithSpace(before, after, { timeout });
  if (words !== undefined) return { unit: 'words', parts: words.map(toPart) };
  const lines = diffLines(before, after, { timeout });
  if (lines !== undefined) return { unit: 'lines', parts: lines.map(toPart) };
  const parts: DiffPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return { unit: 'none', parts };
}

function toPart({ added, removed, value }: Change): DiffPart {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value };
}
