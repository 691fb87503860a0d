import { backoffMs } from './backoff.js';

describe('backoffMs', () => {
  it('grows from one second to one minute', () => {
    const maximum = [0, 1, 2, 5, 6, 7, 1000].map((attempt) => Math.round(backoffMs(attempt, 1)));
    expect(maximum).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('spreads the delay from zero to the whole interval', () => {
    expect(backoffMs(6, 0)).toBe(0);
    expect(backoffMs(6, 0.5)).toBe(30_000);
  });

  it('does not exceed the given maximum', () => {
    expect([0, 6].map((attempt) => backoffMs(attempt, 1, 20))).toEqual([20, 20]);
    expect(backoffMs(6, 1, 120_000)).toBe(64_000);
  });
});
