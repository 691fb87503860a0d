import { exactQuotient, exactSum, rounded } from './exact-sum.js';
import { roundedMean, roundedSum } from './quick-sum.js';

const seed = Date.now() % 2 ** 31;
let state = seed;
const random = () => (state = (state * 48_271) % (2 ** 31 - 1)) / (2 ** 31 - 1);
const listOf = (length: number, value: (index: number) => number) =>
  Array.from({ length }, (_, i) => value(i));

/** Kinds of lists that people have, and those that are hard to add. */
const KINDS: Readonly<Record<string, (length: number) => number[]>> = {
  'equal decimals': (length) => listOf(length, () => 0.7),
  'scores of two decimals': (length) => listOf(length, () => Math.round(random() * 100) / 100),
  booleans: (length) => listOf(length, () => Number(random() < 0.5)),
  'random scores': (length) => listOf(length, random),
  'negative and positive': (length) => listOf(length, () => random() - 0.5),
  'of all magnitudes': (length) =>
    listOf(length, () => (random() - 0.5) * 10 ** Math.floor(random() * 60 - 30)),
  'that cancel': (length) => {
    const half = listOf(length >> 1, () => (random() - 0.5) * 1e15);
    return [...half, ...half.map((value) => -value), random()];
  },
  'halfway between doubles': (length) =>
    listOf(length, (i) => (i === 0 ? 2 ** 53 : random() < 0.5 ? 1 : 2 ** -40)),
  subnormal: (length) => listOf(length, () => random() * 2 ** -1060),
  'that overflow': (length) => listOf(length, () => (random() < 0.9 ? 1 : -1) * 1e308),
};

describe.each(Object.entries(KINDS))('values: %s', (_, make) => {
  it('have the same sum and mean as when they are added exactly', () => {
    for (let round = 0; round < 200; round++) {
      const values = make(2 + Math.floor(random() * 300));
      const total = exactSum(values);
      const isFinite = Number.isFinite(rounded(total));
      const expected = { seed, sum: rounded(total), mean: exactQuotient(total, [values.length]) };
      const actual = { seed, sum: roundedSum(values), mean: isFinite ? roundedMean(values) : expected.mean };
      expect(actual).toEqual(expected);
    }
  });
});

it('has the mean of 100,000 equal decimals', () => {
  expect(roundedMean(Array<number>(100_000).fill(0.7))).toBe(0.7);
});
