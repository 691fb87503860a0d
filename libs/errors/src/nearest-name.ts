/** Names that are more edits apart are different words rather than a misspelling. */
const MAX_EDITS = 2;
/** Shorter names are within two letters of too many others. */
const MIN_LENGTH = 6;

/**
 * Returns the name of `known` that differs least from `name`, by at most two edits (Levenshtein distance, regardless of case), or
 * undefined when there is none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length < MIN_LENGTH) return undefined;
  let nearest: string | undefined;
  let fewest = MAX_EDITS + 1;
  for (const candidate of known) {
    const edits = editDistance(name.toUpperCase(), candidate.toUpperCase(), fewest);
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** Wagner and Fischer's algorithm, which keeps one row of the table. Returns `limit` for any distance of at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(row[b.length] ?? 0, limit);
}
