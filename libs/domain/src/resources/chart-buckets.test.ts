import { chartBuckets, type Bucketing } from './chart-buckets.js';

const buckets = (bucketing: Bucketing, [from, to]: readonly [string, string], timezone = 'UTC') => {
  const { width, starts } = chartBuckets({
    bucketing,
    from: Date.parse(from),
    to: Date.parse(to),
    timezone,
  });
  return { width, starts: starts.map((start) => new Date(start).toISOString()) };
};

describe('the buckets of a chart', () => {
  it.each<[Bucketing, string, [string, string], string[]]>([
    ['minute', 'UTC', ['2026-01-01T00:00:59.999Z', '2026-01-01T00:02:00Z'], ['00:00', '00:01', '00:02']],
    ['five_minute', 'UTC', ['2026-01-01T00:07:00Z', '2026-01-01T00:15:00Z'], ['00:05', '00:10', '00:15']],
    ['hour', 'Asia/Kolkata', ['2026-01-01T00:00:00Z', '2026-01-01T01:30:00Z'], ['23:30', '00:30', '01:30']],
    ['hour', 'UTC', ['2026-01-01T05:00:00Z', '2026-01-01T05:00:00Z'], ['05:00']],
    // Clocks go back from 03:00 to 02:00 at 01:00Z: an hour of the wall clock is there twice.
    [
      'hour',
      'Europe/Berlin',
      ['2026-10-24T23:30:00Z', '2026-10-25T02:30:00Z'],
      ['23:00', '00:00', '01:00', '02:00'],
    ],
    // Clocks go forward by half an hour at 15:30Z, from 02:00 to 02:30.
    [
      'hour',
      'Australia/Lord_Howe',
      ['2026-10-03T14:30:00Z', '2026-10-03T17:00:00Z'],
      ['14:30', '15:00', '16:00', '17:00'],
    ],
  ])('of a %s start at full ones in %s', (bucketing, timezone, range, times) => {
    const { starts } = buckets(bucketing, range, timezone);
    expect(starts.map((start) => start.slice(11, 16))).toEqual(times);
  });

  it.each<[Bucketing, string, [string, string], string[]]>([
    [
      'day',
      'Europe/Berlin',
      ['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'],
      ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00'].map((text) => text),
    ],
    // Midnight is skipped: clocks go from 00:00 to 01:00.
    [
      'day',
      'Asia/Beirut',
      ['2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'],
      ['2026-03-27T22:00', '2026-03-28T22:00'],
    ],
    [
      'week',
      'UTC',
      ['2026-01-01T00:00:00Z', '2026-01-12T00:00:00Z'],
      ['2025-12-29', '2026-01-05', '2026-01-12'],
    ],
    [
      'month',
      'America/New_York',
      ['2026-02-10T00:00:00Z', '2026-04-01T05:00:00Z'],
      ['2026-02-01T05:00', '2026-03-01T05:00', '2026-04-01T04:00'],
    ],
  ])('of a %s start at local midnight in %s', (bucketing, timezone, range, expected) => {
    const { starts } = buckets(bucketing, range, timezone);
    expect(starts.map((start, index) => start.slice(0, expected[index]?.length))).toEqual(expected);
  });

  it.each([
    ['1h', 60, 'minute'],
    ['12h', 12 * 60, 'five_minute'],
    ['7 d', 7 * 24 * 60, 'hour'],
    ['90 d', 90 * 24 * 60, 'day'],
    ['3 y', 3 * 365 * 24 * 60, 'week'],
    ['50 y', 50 * 365 * 24 * 60, 'month'],
  ])('of %s have a width of their own', (_title, minutes, width) => {
    const from = Date.parse('2020-01-01T00:00:00Z');
    expect(
      chartBuckets({ bucketing: 'auto', from, to: from + minutes * 60_000, timezone: 'UTC' }).width,
    ).toBe(width);
  });

  it('are none in a reversed range', () => {
    expect(buckets('hour', ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z']).starts).toEqual([]);
  });

  it.each([
    ['Nowhere/City', 0, 1, 'timezone'],
    ["UTC'; DROP TABLE events; --", 0, 1, 'timezone'],
    ['UTC', 0, 2_001 * 60_000, 'more than 2000 buckets'],
    ['UTC', 1e294, 1e294, 'before the year 10000'],
  ])('reject %s from %d to %d', (timezone, from, to, message) => {
    expect(() => chartBuckets({ bucketing: 'minute', from, to, timezone })).toThrow(message);
  });

  it('ascend and contain the range in every zone, also where clocks change', () => {
    for (const timezone of [
      'America/Sao_Paulo',
      'Africa/Cairo',
      'Pacific/Apia',
      'Asia/Kathmandu',
      'Europe/London',
    ])
      for (const bucketing of ['hour', 'day', 'week', 'month'] as const) {
        const [from, to] = [Date.parse('2011-11-20T12:34:56Z'), Date.parse('2012-01-10T01:02:03Z')];
        const { starts } = chartBuckets({ bucketing, from, to, timezone });
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(starts[0]).toBeLessThanOrEqual(from);
        expect(starts.at(-1)).toBeLessThanOrEqual(to);
      }
  });
});
