import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClose } from '../../test/experiments/reference.js';
import { agreementOf, fleissKappa, MAX_LABELS, type KappaWeights, type LabelPair } from './agreement.js';

/** Results of numpy and statsmodels; see `generate_reference.py`. */
interface Reference {
  readonly pairs: readonly {
    readonly name: string;
    readonly pairs: readonly (readonly [string, string])[];
    readonly labels: readonly string[];
    readonly matrix: readonly (readonly number[])[];
    readonly accuracy: number;
    readonly kappa: Readonly<Record<KappaWeights, number | null>>;
  }[];
  readonly items: readonly {
    readonly name: string;
    readonly items: string[][];
    readonly kappa: number | null;
  }[];
}

const reference = JSON.parse(
  readFileSync(join(__dirname, '../../test/evaluators/agreement.json'), 'utf8'),
) as Reference;

const pairsOf = (pairs: readonly (readonly [string, string])[]): LabelPair[] =>
  pairs.map(([first, second]) => ({ reference: first, rated: second }));

function expectValue(actual: number | null, expected: number | null): void {
  if (expected === null || actual === null) expect(actual).toBe(expected);
  else expectClose(actual, expected);
}

describe('agreementOf', () => {
  it.each(reference.pairs)('agrees with statsmodels: $name', ({ pairs, labels, matrix, accuracy, kappa }) => {
    for (const weights of ['none', 'linear', 'quadratic'] as const) {
      const agreement = agreementOf(pairsOf(pairs), { weights });
      expect(agreement).toMatchObject({ n: pairs.length, labels, confusion_matrix: matrix });
      expectValue(agreement.accuracy, accuracy);
      expectValue(agreement.kappa, kappa[weights]);
    }
  });

  it('is the same with the raters exchanged, but for the matrix', () => {
    for (const { pairs } of reference.pairs) {
      const exchanged = agreementOf(pairs.map(([first, second]) => ({ reference: second, rated: first })));
      const agreement = agreementOf(pairsOf(pairs));
      expectValue(exchanged.kappa, agreement.kappa);
      const transposed = agreement.labels.map((_, index) =>
        agreement.confusion_matrix.map((row) => row[index]),
      );
      expect(exchanged.confusion_matrix).toEqual(transposed);
    }
  });

  // 1 - observed / expected disagreement, as fractions: 37/141 for distances, 317/1157 for their squares.
  it('weighs numbers by their distance, whichever of a scale occur', () => {
    const ratings = ['1 1', '1 2', '2 10', '10 10', '10 2', '2 2', '1 10', '10 10'];
    const pairs = pairsOf(ratings.map((pair) => pair.split(' ') as [string, string]));
    expectValue(agreementOf(pairs, { weights: 'linear' }).kappa, 37 / 141);
    expectValue(agreementOf(pairs, { weights: 'quadratic' }).kappa, 317 / 1157);
    const scaled = pairs.map(({ reference, rated }) => ({
      reference: String(Number(reference) * 1e300),
      rated: String(Number(rated) * 1e300),
    }));
    expectValue(agreementOf(scaled, { weights: 'quadratic' }).kappa, 317 / 1157);
  });

  // Distances 0, 2, 0 and 1 are 3/4 observed; over all 16 combinations they are 1.
  it('weighs categories by their positions among all of the metric', () => {
    const pairs = pairsOf([
      ['good', 'good'],
      ['good', 'bad'],
      ['bad', 'bad'],
    ]);
    const labels = ['bad', 'fair', 'good'];
    const { kappa } = agreementOf([...pairs, ...pairsOf([['fair', 'good']])], { labels, weights: 'linear' });
    expectValue(kappa, 1 / 4);
  });

  it('has no accuracy and no kappa without pairs', () => {
    expect(agreementOf([])).toEqual({ n: 0, accuracy: null, kappa: null, labels: [], confusion_matrix: [] });
  });

  it('uses the given order of labels, and labels without pairs', () => {
    const pairs = pairsOf([
      ['low', 'low'],
      ['high', '10'],
      ['high', '9'],
    ]);
    const { labels, confusion_matrix: matrix } = agreementOf(pairs, { labels: ['low', 'medium', 'high'] });
    expect(labels).toEqual(['low', 'medium', 'high', '9', '10']);
    expect(matrix[2]).toEqual([0, 0, 0, 1, 1]);
  });

  it('treats labels such as __proto__ like all others', () => {
    const { labels, kappa } = agreementOf(
      pairsOf([
        ['__proto__', '__proto__'],
        ['constructor', 'constructor'],
      ]),
    );
    expect([labels, kappa]).toEqual([['__proto__', 'constructor'], 1]);
  });

  it('has only accuracy beyond the maximum number of labels', () => {
    const pairs = Array.from({ length: MAX_LABELS + 1 }, (_, n) => ({ reference: `${n}`, rated: `${n}` }));
    expect(agreementOf(pairs)).toEqual({
      n: MAX_LABELS + 1,
      accuracy: 1,
      kappa: null,
      labels: [],
      confusion_matrix: [],
    });
  });
});

describe('fleissKappa', () => {
  it.each(reference.items)('agrees with statsmodels: $name', ({ items, kappa }) => {
    expectValue(fleissKappa(items), kappa);
  });

  it('is null without items', () => {
    expect(fleissKappa([])).toBeNull();
  });
});
