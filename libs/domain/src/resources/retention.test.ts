import {
  cutoffsOf,
  defaultCutoff,
  earliestCutoff,
  effectiveRetention,
  isExpired,
  latestCutoff,
} from './retention.js';

const DAY = 86_400_000;
const NOW = 1_790_000_000_000;
const ALL = ['session', 'model', 'tool', 'chain'] as const;

describe('the retention of events', () => {
  it.each([
    ['nothing', {}, {}],
    ['for ever', { default: null, session: null }, {}],
    ['days for all types', { default: 2 }, { session: 2, model: 2, tool: 2, chain: 2 }],
    [
      'days for a type beside all others',
      { default: 90, session: 365 },
      { session: 365, model: 90, tool: 90, chain: 90 },
    ],
    ['days for one type alone', { model: 1 }, { model: 1 }],
    ['one type for ever', { default: 3, tool: null }, { session: 3, model: 3, chain: 3 }],
  ])('of %s gives each type its cutoff', (_title, retention, days) => {
    const cutoffs = cutoffsOf(retention, NOW);
    const expected = Object.fromEntries(
      Object.entries(days).map(([type, count]) => [type, NOW - count * DAY]),
    );
    expect(cutoffs).toEqual(expected);
  });

  it('expires an event a millisecond after its days are over, and not before', () => {
    const cutoffs = cutoffsOf({ default: 1, session: null }, NOW);
    for (const type of ALL) {
      expect(isExpired({ type, startTime: NOW - DAY }, cutoffs)).toBe(false);
      expect(isExpired({ type, startTime: NOW - DAY - 1 }, cutoffs)).toBe(type !== 'session');
    }
  });

  it('takes the default of the installation only where a project has none', () => {
    expect(effectiveRetention(undefined, undefined)).toEqual({});
    expect(effectiveRetention(undefined, 30)).toEqual({ default: 30 });
    expect(effectiveRetention({ session: 365 }, 30)).toEqual({ session: 365, default: 30 });
    expect(effectiveRetention({ default: 90 }, 30)).toEqual({ default: 90 });
    expect(effectiveRetention({ default: null }, 30)).toEqual({ default: null });
  });

  it('has an earliest cutoff only when every type expires, and a latest one when any does', () => {
    const both = (retention: object) => {
      const cutoffs = cutoffsOf(retention, NOW);
      return [earliestCutoff(cutoffs), latestCutoff(cutoffs)];
    };
    expect(both({})).toEqual([undefined, undefined]);
    expect(both({ session: 5 })).toEqual([undefined, NOW - 5 * DAY]);
    expect(both({ default: 2, session: 5 })).toEqual([NOW - 5 * DAY, NOW - 2 * DAY]);
    expect(both({ default: 2, chain: null })).toEqual([undefined, NOW - 2 * DAY]);
    expect([defaultCutoff({}, NOW), defaultCutoff({ default: null }, NOW)]).toEqual([undefined, undefined]);
    expect(defaultCutoff({ default: 2, session: 5 }, NOW)).toBe(NOW - 2 * DAY);
  });
});
