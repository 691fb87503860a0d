/** The labels that one item has from two raters, such as a person and a metric. */
export interface LabelPair {
  /** Of the rater whose labels count as correct. */
  readonly reference: string;
  readonly rated: string;
}

/**
 * How much a disagreement counts in Cohen's kappa. `none`: every one is the same; `linear` counts the distance of the labels and
 * `quadratic` its square. The distance of numbers is their difference, that of other labels the difference of their positions.
 */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

export interface AgreementOptions {
  /** Order of the labels. Others follow: numbers by their value, then text by its code units. */
  readonly labels?: readonly string[];
  readonly weights?: KappaWeights;
}

/** Agreement of two raters. */
export interface Agreement {
  /** Number of pairs. */
  readonly n: number;
  /** Share of pairs with equal labels; null without pairs. */
  readonly accuracy: number | null;
  /** Cohen's kappa: 1 is total agreement, 0 is that of chance; null when chance alone agrees, or beyond {@link MAX_LABELS}. */
  readonly kappa: number | null;
  /** Labels of the rows and columns; empty beyond {@link MAX_LABELS}. */
  readonly labels: readonly string[];
  /** Pairs by reference label (row) and rated label (column). */
  readonly confusion_matrix: readonly (readonly number[])[];
}

/** Labels beyond which there is no confusion matrix: scores on a continuous scale do not agree in this sense. */
export const MAX_LABELS = 100;

/**
 * Returns accuracy, confusion matrix and Cohen's kappa of two raters.
 * Source: J. Cohen, "A coefficient of agreement for nominal scales" (1960) and "Weighted kappa" (1968).
 */
export function agreementOf(pairs: readonly LabelPair[], options: AgreementOptions = {}): Agreement {
  const equal = pairs.filter(({ reference, rated }) => reference === rated).length;
  const [n, accuracy] = [pairs.length, pairs.length > 0 ? equal / pairs.length : null];
  const given = new Set(pairs.flatMap(({ reference, rated }) => [reference, rated]));
  const labels = orderedLabels(given, options.labels ?? []);
  if (labels.length > MAX_LABELS) return { n, accuracy, kappa: null, labels: [], confusion_matrix: [] };
  const matrix = confusionMatrix(pairs, labels);
  return {
    n,
    accuracy,
    kappa: cohensKappa(matrix, positionsOf(labels), options.weights),
    labels,
    confusion_matrix: matrix,
  };
}

/**
 * Returns Fleiss' kappa of any number of raters. Items with fewer than two labels do not count. The number of labels may differ: the
 * agreement of an item is the share of equal pairs among its labels, and chance follows from all labels of the items that count. With
 * equal numbers this is Fleiss' definition. Null without such items, and when chance alone agrees.
 * Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters" (1971).
 * @param items the labels that the raters gave to each item
 */
export function fleissKappa(items: readonly (readonly string[])[]): number | null {
  const totals = new Map<string, number>();
  let [counted, given, agreement] = [0, 0, 0];
  for (const labels of items) {
    if (labels.length < 2) continue;
    const counts = countLabels(labels);
    let equalPairs = 0;
    for (const [label, count] of counts) {
      totals.set(label, (totals.get(label) ?? 0) + count);
      equalPairs += count * (count - 1);
    }
    counted++;
    given += labels.length;
    agreement += equalPairs / (labels.length * (labels.length - 1));
  }
  if (counted === 0 || totals.size < 2) return null;
  const chance = [...totals.values()].reduce((sum, count) => sum + (count / given) ** 2, 0);
  return (agreement / counted - chance) / (1 - chance);
}

function cohensKappa(
  matrix: readonly (readonly number[])[],
  positions: readonly number[],
  weights: KappaWeights = 'none',
): number | null {
  const rows = matrix.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = matrix.map((_, column) => matrix.reduce((sum, row) => sum + row[column]!, 0));
  const n = rows.reduce((sum, count) => sum + count, 0);
  let [observed, expected] = [0, 0];
  matrix.forEach((row, from) =>
    row.forEach((count, to) => {
      const weight = weightOf(positions[from]! - positions[to]!, weights);
      observed += weight * count;
      expected += (weight * rows[from]! * columns[to]!) / n;
    }),
  );
  return n === 0 || expected === 0 ? null : 1 - observed / expected;
}

/** Where labels lie on their scale: numbers by their value, as shares of the largest, others by their order. */
function positionsOf(labels: readonly string[]): number[] {
  if (!labels.every(isNumber)) return labels.map((_, index) => index);
  const numbers = labels.map(Number);
  const largest = Math.max(...numbers.map(Math.abs));
  return largest === 0 ? numbers : numbers.map((value) => value / largest);
}

function weightOf(distance: number, weights: KappaWeights): number {
  if (weights === 'none') return distance === 0 ? 0 : 1;
  return weights === 'linear' ? Math.abs(distance) : distance ** 2;
}

function confusionMatrix(pairs: readonly LabelPair[], labels: readonly string[]): number[][] {
  const positions = new Map(labels.map((label, index) => [label, index]));
  const matrix = labels.map(() => labels.map(() => 0));
  for (const { reference, rated } of pairs) matrix[positions.get(reference)!]![positions.get(rated)!]!++;
  return matrix;
}

function orderedLabels(given: ReadonlySet<string>, first: readonly string[]): string[] {
  const known = [...new Set(first)];
  const others = [...given].filter((label) => !known.includes(label));
  const numbers = others.filter(isNumber).sort((a, b) => Number(a) - Number(b));
  return [...known, ...numbers, ...others.filter((label) => !isNumber(label)).sort()];
}

function isNumber(label: string): boolean {
  return label.trim() !== '' && Number.isFinite(Number(label));
}

function countLabels(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
