import type { JsonValue } from '../../json.js';
import { acceptDateRange } from './date-range.js';

const NOW = 1_767_225_600_000;
const HOUR = 3_600_000;
const range = (input: JsonValue | undefined) => acceptDateRange(input, NOW);

describe('a date range', () => {
  it.each<[JsonValue]>([
    [{ $gte: '2026-01-01T00:00:00Z', $lte: '2026-01-01T01:00:00.000Z' }],
    [{ $gte: NOW, $lte: NOW + HOUR }],
    [{ gte: String(NOW), lte: '2026-01-01T02:00:00+01:00' }],
    [{ start_time: '2026-01-01', end_time: '2026-01-01 01:00' }],
    [{ start: NOW * 1_000, end: (NOW + HOUR) * 1_000_000 }],
    ['{"$gte": "2026-01-01", "$lte": "2026-01-01T01:00:00"}'],
  ])('can be written as %j', (input) => {
    expect(range(input)).toEqual({ from: NOW, to: NOW + HOUR });
  });

  it.each<[JsonValue, number]>([
    ['24h', 24 * HOUR],
    ['30m', HOUR / 2],
    ['7d', 168 * HOUR],
    ['"2w"', 336 * HOUR],
    [{ relative: '1mo' }, 720 * HOUR],
    ['{"relative":"1y"}', 8760 * HOUR],
  ])('can end now: %j', (input, length) => {
    expect(range(input)).toEqual({ from: NOW - length, to: NOW });
  });

  it('may be open', () => {
    expect(range(undefined)).toEqual({});
    expect(range(null)).toEqual({});
    expect(range('None')).toEqual({});
    expect(range({})).toEqual({});
    expect(range({ $gte: NOW })).toEqual({ from: NOW });
    expect(range({ $gte: null, $lte: NOW })).toEqual({ to: NOW });
  });

  it('never starts before the epoch', () => {
    expect(range('9999y')).toEqual({ from: 0, to: NOW });
  });

  it.each<[JsonValue]>([
    [{ $gte: '2024-13-45' }],
    [{ $gte: '2026-02-30' }],
    [{ $gte: 'yesterday' }],
    [{ $gte: -5 }],
    [{ $gte: Infinity }],
    [{ $gte: true }],
    [{ $gte: { $gte: 1 } }],
    [{ $gt: 1 }],
    [{ relative: 7 }],
    ['7 days'],
    ['{"$gte":'],
    ['[1]'],
    [['7d']],
    [7],
    [{ relative: '99999999999d' }],
  ])('is refused as %j', (input) => {
    expect(() => range(input)).toThrow(/^dateRange/);
  });
});
