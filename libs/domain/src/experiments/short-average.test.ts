import { shortAverage } from './short-average.js';

it.each([
  [0.699_999_999_999_999_8, 0.7],
  [0.700_000_000_000_000_1, 0.7],
  [-0.699_999_999_999_999_8, -0.7],
  [0.1 + 0.2, 0.3],
  [2 / 3, 2 / 3],
  [1 / 3, 1 / 3],
  [0, 0],
  [5e-324, 5e-324],
  [Number.MAX_VALUE, Number.MAX_VALUE],
  [123_456_789.123_456_78, 123_456_789.123_456_78],
])('the average %d is shown as %d', (value, expected) => expect(shortAverage(value)).toBe(expected));
