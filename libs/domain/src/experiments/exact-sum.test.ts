import { randomInt } from 'node:crypto';
import { randomFrom } from '../../test/experiments/random-from.js';
import { aggregate, mean, sum } from './aggregate.js';

/** A double as a fraction of two integers, the second one a power of two. */
function fractionOf(value: number): readonly [bigint, bigint] {
  let [scaled, divisor] = [value, 1n];
  for (; !Number.isInteger(scaled); divisor *= 2n) scaled *= 2;
  return [BigInt(scaled), divisor];
}

/** The exact sum of doubles, as a fraction. */
function exactFraction(values: readonly number[]): readonly [bigint, bigint] {
  return values
    .map(fractionOf)
    .reduce(([top, bottom], [n, d]) => [top * d + n * bottom, bottom * d] as const, [0n, 1n] as const);
}

/** Whether a double is one of those that are nearest to a fraction. */
function isNearest(value: number, top: bigint, bottom: bigint): boolean {
  const distance = (candidate: number) => {
    const [n, d] = fractionOf(candidate);
    const difference = n * bottom - top * d;
    return [difference < 0n ? -difference : difference, d] as const;
  };
  const [own, ownScale] = distance(value);
  const step = Math.max(Math.abs(value) * 2 ** -53, Number.MIN_VALUE);
  return [value - step, value + step, value - 2 * step, value + 2 * step]
    .filter((other) => other !== value)
    .every((other) => {
      const [theirs, theirScale] = distance(other);
      return own * theirScale <= theirs * ownScale;
    });
}

describe('exact sums', () => {
  it.each<readonly [number[], number]>([
    [[0.7, 0.7, 0.7], 0.7],
    [[0.1, 0.2, 0.3], 0.2],
    [[0.3, 0.3, 0.3], 0.3],
    [[0.9, 0.8, 0.7], 0.8],
    [[1e308, 1e308, -1e308], 1e308 / 3],
    [[1, 1e100, 1, -1e100], 0.5],
    [[5e-324, 5e-324], 5e-324],
    // Between two doubles but for a part that is too small for the first correction.
    [[617097370662222, 3.305501080461912e-18, 78744213259608200], 26453770210090140],
    [[-350947800722661, -30548937881159376, 2.715631515131388e-18], -10299961893960678],
    [[-8396968718496212, -54049485211367710, -9.797181655146266e-19, 2657211612392672], -14947310579367814],
  ])('the mean of %j is %d, as the fractions of Python say', (values, expected) => {
    expect(mean(values)).toBe(expected);
    expect(aggregate('average', [...values].reverse())).toBe(expected);
  });

  it('are rounded once, however small a part is that decides', () => {
    expect(sum([-3.7850994058396197e-292, 1.3630417615305287e-43, 8.552054028402826e-42])).toBe(
      8.688358204555878e-42,
    );
  });

  it('are rounded once', () => {
    const seed = randomInt(2 ** 31);
    const random = randomFrom(seed);
    const draws = [
      () => Math.round(random() * 100) / 100,
      () => random() * 2 - 1,
      () => (random() - 0.5) * 2 ** Math.floor(random() * 120 - 60),
    ];
    for (let round = 0; round < 600; round++) {
      const draw = draws[round % draws.length]!;
      const values = Array.from({ length: 1 + Math.floor(random() * 40) }, draw);
      const [top, bottom] = exactFraction(values);
      const context = { seed, values };
      expect([context, isNearest(sum(values), top, bottom)]).toEqual([context, true]);
      expect([context, isNearest(mean(values), top, bottom * BigInt(values.length))]).toEqual([
        context,
        true,
      ]);
    }
  });
});
