import { expectClose, REFERENCE } from '../../test/experiments/reference.js';
import { runSync } from '../../test/experiments/run-sync.js';
import { BOOTSTRAP_SEED, bootstrapMean, RESAMPLES } from './bootstrap.js';
import { holm } from './holm.js';
import { exactMcNemar } from './mcnemar.js';
import { normalCdf, normalQuantile } from './normal.js';
import { randomIndexes } from './random-indexes.js';
import { comparePairs, type PairedScores } from './significance.js';

const compareOne = (metric: Partial<PairedScores>, minPairs?: number) => {
  const [result] = runSync(
    comparePairs([{ pairs: [], direction: 'higher', isBoolean: false, ...metric }], minPairs),
  );
  if (!result) throw new Error('expected one result');
  return result;
};
const pairsOf = (differences: readonly number[]) => differences.map((value) => ({ old: 0, new: value }));
const repeated = (value: number, count: number) => Array.from({ length: count }, () => value);

describe('the reference', () => {
  it('was made with the same seed and number of resamples', () => {
    expect([REFERENCE.seed, REFERENCE.resamples]).toEqual([BOOTSTRAP_SEED, RESAMPLES]);
    const next = randomIndexes(BOOTSTRAP_SEED, REFERENCE.indexes.length);
    expect(REFERENCE.indexes.first.map(() => next())).toEqual(REFERENCE.indexes.first);
  });

  it('agrees on the normal distribution', () => {
    for (const [x, expected] of REFERENCE.normal.cdf) expectClose(normalCdf(x), expected, 1e-15);
    for (const [share, expected] of REFERENCE.normal.quantile) expectClose(normalQuantile(share), expected);
  });

  it.each(REFERENCE.mcnemar)("agrees on McNemar's test of $gained and $lost", ({ gained, lost, p }) => {
    expectClose(exactMcNemar(gained, lost), p, 1e-10);
    expectClose(exactMcNemar(lost, gained), p, 1e-10);
  });

  it.each(REFERENCE.holm)('agrees on the correction of $p', ({ p, adjusted }) => {
    holm(p).forEach((value, index) => expectClose(value, adjusted[index] ?? NaN));
  });

  it.each(REFERENCE.bootstrap)('agrees on the mean difference: $name', (expected) => {
    const { mean_difference, effect_size } = compareOne({ pairs: pairsOf(expected.differences) });
    expectClose(mean_difference, expected.mean);
    expectClose(effect_size ?? NaN, expected.effect);
  });

  it.each(REFERENCE.bootstrap)(
    'agrees on the interval of the same resamples: $name',
    ({ differences, bca }) => {
      const actual = runSync(bootstrapMean(differences, 1_000));
      expectClose(actual.low, bca.low, 1e-9);
      expectClose(actual.high, bca.high, 1e-9);
      expectClose(actual.pValue, bca.p, 1e-9);
    },
  );

  // A bound of 10,000 resamples varies by about a fiftieth of the width of the interval. With one outlier it jumps
  // by a multiple of that value, so that other resamples say nothing.
  it.each(REFERENCE.bootstrap.filter(({ name }) => name !== 'one outlier'))(
    'agrees on the interval of other resamples: $name',
    ({ differences, scipy }) => {
      const actual = runSync(bootstrapMean(differences, 1_000));
      const tolerance = 0.05 * (scipy.high - scipy.low);
      expect(Math.abs(actual.low - scipy.low)).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(actual.high - scipy.high)).toBeLessThanOrEqual(tolerance);
    },
  );
});

describe('the p-value of a mean difference', () => {
  it('is below 5 % exactly when the interval excludes 0', () => {
    for (const { differences } of REFERENCE.bootstrap) {
      const { low, high, pValue } = runSync(bootstrapMean(differences, 1_000));
      expect(pValue < 0.05).toBe(low > 0 || high < 0);
    }
  });
});

describe('many differences', () => {
  it('have almost the same interval in blocks', () => {
    const next = randomIndexes(5, 1_000);
    const differences = Array.from({ length: 3_000 }, () => (next() / 1_000) ** 3);
    const whole = runSync(bootstrapMean(differences, 3_000));
    const blocks = runSync(bootstrapMean(differences, 1_000));
    const width = whole.high - whole.low;
    expect(Math.abs(blocks.low - whole.low) / width).toBeLessThan(0.05);
    expect(Math.abs(blocks.high - whole.high) / width).toBeLessThan(0.05);
  });
});

describe('the verdict', () => {
  const gains = [0.3, 0.2, 0.4, 0.1, 0.5, 0.3, 0.2, 0.6, 0.1, 0.4, 0.2, 0.3];

  it.each([
    ['better', 'higher', gains],
    ['worse', 'lower', gains],
    ['no_difference_shown', 'none', gains],
    ['worse', 'higher', gains.map((gain) => -gain)],
    ['better', 'lower', gains.map((gain) => -gain)],
    ['no_difference_shown', 'higher', [0.3, -0.3, 0.2, -0.2, 0.1, -0.1, 0.5, -0.5, 0.4, -0.4]],
    ['no_difference_shown', 'higher', repeated(0, 30)],
    ['better', 'higher', repeated(0.1, 30)],
    ['too_few', 'higher', gains.slice(0, 9)],
    ['too_few', 'higher', [1]],
    ['too_few', 'higher', []],
  ] as const)('is %s with direction %s for %j', (expected, direction, differences) => {
    expect(compareOne({ pairs: pairsOf(differences), direction })).toMatchObject({
      verdict: expected,
      pairs: differences.length,
    });
  });

  it('follows the number of pairs that the caller asks for', () => {
    expect(compareOne({ pairs: pairsOf(gains.slice(0, 9)) }, 5).verdict).toBe('better');
    expect(compareOne({ pairs: pairsOf(gains) }, 50).verdict).toBe('too_few');
  });

  it("follows McNemar's test for true and false", () => {
    // Five of twelve gained: p = 2 · 0.5^5 = 0.0625. Six gained: 0.03125.
    const pairs = (gained: number) => pairsOf([...repeated(1, gained), ...repeated(0, 12 - gained)]);
    const passes = (score: number) => score === 1;
    expect(compareOne({ pairs: pairs(5), isBoolean: true, passes })).toMatchObject({
      mcnemar: { gained: 5, lost: 0, p_value: expect.closeTo(0.0625, 12) as number },
      p_value: expect.closeTo(0.0625, 12) as number,
      verdict: 'no_difference_shown',
    });
    expect(compareOne({ pairs: pairs(6), isBoolean: true, passes })).toMatchObject({
      p_value: expect.closeTo(0.03125, 12) as number,
      verdict: 'better',
    });
  });

  it('is corrected for the number of metrics', () => {
    const pairs = pairsOf([...repeated(1, 6), ...repeated(0, 6)]);
    const metric = {
      pairs,
      direction: 'higher',
      isBoolean: true,
      passes: (score: number) => score === 1,
    } as const;
    const both = runSync(comparePairs([metric, metric]));
    expect(both.map((one) => [one.adjusted_p_value, one.verdict])).toEqual([
      [expect.closeTo(0.0625, 12), 'no_difference_shown'],
      [expect.closeTo(0.0625, 12), 'no_difference_shown'],
    ]);
  });

  it('does not correct for metrics that have too few pairs', () => {
    const few = { pairs: pairsOf([1]), direction: 'higher', isBoolean: false } as const;
    const [result] = runSync(comparePairs([{ ...few, pairs: pairsOf(gains) }, few, few, few]));
    expect(result?.adjusted_p_value).toBe(result?.p_value);
  });
});

describe('differences that do not vary', () => {
  it('have an interval without width, and the p-value of the sign test', () => {
    // 0.3 - 0.2 and 0.4 - 0.3 differ in their last digit.
    const pairs = Array.from({ length: 12 }, (_, index) => ({ old: index / 10, new: (index + 1) / 10 }));
    const result = compareOne({ pairs });
    expectClose(result.mean_difference, 0.1);
    expect(result).toMatchObject({ effect_size: null, p_value: 2 ** -11, verdict: 'better' });
    expect(result.confidence_interval).toEqual({ low: result.mean_difference, high: result.mean_difference });
  });

  it('say nothing with one pair or none', () => {
    const nothing = { confidence_interval: null, effect_size: null, mcnemar: null, p_value: 1 };
    expect(compareOne({ pairs: pairsOf([1]) })).toMatchObject({ ...nothing, mean_difference: 1 });
    expect(compareOne({ pairs: [] })).toMatchObject({ ...nothing, mean_difference: 0 });
  });
});
