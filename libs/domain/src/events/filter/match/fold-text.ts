/**
 * Returns a text without differences of case. It folds each character on its own, so that the parts of a text can be
 * folded one by one: `toLowerCase` alone writes a capital sigma at the end of a word in another way.
 */
export function foldText(text: string): string {
  return (text.includes('Σ') ? text.replaceAll('Σ', 'σ') : text).toLowerCase();
}
