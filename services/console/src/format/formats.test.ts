import { formatBytes } from './bytes.js';
import { formatCost } from './cost.js';
import { formatDuration } from './duration.js';
import { formatScore, formatTokens, formatValue } from './number.js';
import { previewText } from './preview.js';
import { formatAxis, formatTime, isoTime } from './time.js';

describe('numbers and times of the console', () => {
  it.each([
    [0, '0 ms'],
    [0.1234, '0.123 ms'],
    [412, '412 ms'],
    [999.6, '1.00 s'],
    [2_410, '2.41 s'],
    [59_949, '59.9 s'],
    [59_960, '1 m 0 s'],
    [192_000, '3 m 12 s'],
    [7_500_000, '2 h 5 m'],
    [-40, '−40 ms'],
    [null, '—'],
    [undefined, '—'],
  ])('a duration of %p ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, '$0'],
    [0.0042, '$0.0042'],
    [0.000_012_3, '$0.000012'],
    [3.41, '$3.41'],
    [-2, '−$2.00'],
    [null, '—'],
  ])('a cost of %p is %s', (cost, text) => expect(formatCost(cost)).toBe(text));

  it.each([
    [0, '0'],
    [999, '999'],
    [12_400, '12.4k'],
    [999_960, '1.0M'],
    [undefined, '—'],
  ])('%p tokens are %s', (tokens, text) => expect(formatTokens(tokens)).toBe(text));

  it.each([
    [999, '999 B'],
    [1_000, '1 KB'],
    [20_040_000, '20 MB'],
    [1_550, '1.55 KB'],
  ])('%p bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('shows five different things for missing, zero, empty text, null and false', () => {
    expect([undefined, 0, '', null, false].map(formatValue)).toEqual(['—', '0', '""', 'null', 'false']);
    expect(formatScore(0.846_21)).toBe('0.846');
  });

  it('shows the date unless it is today, and the year unless it is this one', () => {
    const now = Date.parse('2026-11-27T10:00:00Z');
    const at = (text: string) => formatTime(Date.parse(text), 'utc', now);
    expect(at('2026-11-27T09:08:07.065Z')).toBe('09:08:07.065');
    expect(at('2026-11-03T09:08:07.065Z')).toBe('3 Nov 09:08:07');
    expect(at('2025-11-03T09:08:07.065Z')).toBe('3 Nov 2025 09:08:07');
    expect([isoTime(1e20), formatTime(undefined, 'utc', now)]).toEqual(['—', '—']);
  });
});

it('an axis has days, and times of the day where it is short', () => {
  const at = (hours: number) => Date.parse('2026-11-27T00:00:00.000Z') / 1_000 + hours * 3_600;
  expect(formatAxis([at(0), at(12), at(24)], 'utc')).toEqual(['27 Nov', '12:00', '28 Nov']);
  expect(formatAxis([at(0), at(12), at(72)], 'utc')).toEqual(['27 Nov', '', '30 Nov']);
  expect(formatAxis([], 'utc')).toEqual([]);
});

describe('the preview of a payload', () => {
  it.each([
    ['{"question":"What is"}', 'What is'],
    [
      '{"chat_history":[{"role":"system","content":"You answer"},{"role":"user","content":"Where is',
      'Where is',
    ],
    ['{"role":"assistant","content":"Your refund\\nwas issued"}', 'Your refund was issued'],
    ['{"n":1}', '{"n":1}'],
    ['{"content":"cut in an escape \\u00', 'cut in an escape '],
    ['{"question":"Pa\\"ris"}', 'Pa"ris'],
    ['{"amount":38,"currency":"EUR"}', '{"amount":38,"currency":"EUR"}'],
    ['{}', ''],
    [undefined, ''],
  ])('of %s is what a person reads', (json, text) => expect(previewText(json)).toBe(text));
});
