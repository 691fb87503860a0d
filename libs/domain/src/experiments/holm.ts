/**
 * Adjusts p-values of several tests, so that the probability of one or more false positives among them stays below
 * the level: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
 * 6 (1979).
 * @returns in the same order
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[a] ?? 0) - (pValues[b] ?? 0));
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, (pValues.length - rank) * (pValues[index] ?? 0));
    adjusted[index] = Math.min(1, largest);
  });
  return adjusted;
}
