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

  it.each<[JsonValue, string | undefined, string, string]>([
    [{ $gte: '2026-03-01', $lte: '2026-03-01' }, undefined, '2026-03-01T00:00Z', '2026-03-02T00:00Z'],
    ['{"start":"2026-03-01","end":"2026-03-02"}', undefined, '2026-03-01T00:00Z', '2026-03-03T00:00Z'],
    [{ $gte: '2026-03-01', $lte: '2026-03-01' }, 'Asia/Kolkata', '2026-02-28T18:30Z', '2026-03-01T18:30Z'],
    [{ $gte: '2026-03-29', $lte: '2026-03-29' }, 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    [{ gte: '2026-03-01+02:00', lte: '2026-03-01Z' }, 'Asia/Tokyo', '2026-02-28T22:00Z', '2026-03-02T00:00Z'],
  ])('of dates ends with the last day: %j in %s', (input, timezone, from, end) => {
    const { to, ...found } = acceptDateRange(input, NOW, timezone);
    expect(found).toEqual({ from: Date.parse(from) });
    expect(Date.parse(end) - (to ?? 0)).toBeGreaterThan(0);
    expect(Date.parse(end) - (to ?? 0)).toBeLessThan(0.01);
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
