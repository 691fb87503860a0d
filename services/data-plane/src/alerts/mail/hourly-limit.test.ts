import { makeHourlyLimit } from './hourly-limit.js';

describe('a limit per hour', () => {
  let now = 1_000_000;
  const take = makeHourlyLimit(4, () => now);

  it('is of each project, and comes back over the hour', () => {
    expect([1, 2, 3, 4, 5].map(() => take('one'))).toEqual([true, true, true, true, false]);
    expect(take('other')).toBe(true);
    now += 15 * 60_000;
    expect([take('one'), take('one')]).toEqual([true, false]);
    now += 24 * 3_600_000;
    expect([1, 2, 3, 4, 5].map(() => take('one'))).toEqual([true, true, true, true, false]);
  });

  it('is not lengthened by a clock that was set back', () => {
    now -= 3_600_000;
    expect(take('one')).toBe(false);
    now += 15 * 60_000;
    expect(take('one')).toBe(true);
  });
});
