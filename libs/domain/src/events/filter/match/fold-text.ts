/**
 * Returns a text without differences of case. It folds each character on its own, so that the parts of a text can be
 * folded one by one: `toLowerCase` writes a capital sigma at the end of a word in another way, and all three are equal.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}
