import type { Range } from './list-view.js';

const UNITS: Readonly<Record<string, string>> = {
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
};

/** Returns a range in words: "the last 7 days". */
export function rangeName(range: Range): string {
  if (typeof range !== 'string') return 'the chosen range';
  const [, count = '1', unit = 'd'] = /^(\d+)(\D+)$/.exec(range) ?? [];
  const name = UNITS[unit] ?? unit;
  return count === '1' ? `the last ${name}` : `the last ${count} ${name}s`;
}
