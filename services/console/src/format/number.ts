import { jsonText } from './json-text.js';

/** What is drawn for a value that is absent. Zero, empty text and null have texts of their own. */
export const MISSING = '—';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** Returns a count with separators of thousands. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? MISSING : whole.format(value);
}

/** Returns a number of tokens: exact below 1,000, then with one decimal, as `12.4k`. */
export function formatTokens(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (Math.abs(value) < 1_000) return whole.format(value);
  const [divisor, unit] = Math.abs(value) < 999_950 ? [1_000, 'k'] : [1_000_000, 'M'];
  return `${(value / divisor).toFixed(1)}${unit}`;
}

/** Returns a score with at most three decimals. */
export function formatScore(value: number | null | undefined): string {
  return value === null || value === undefined ? MISSING : decimals.format(value);
}

/** Returns any value of a column as text: missing, null and empty text have different ones. */
export function formatValue(value: unknown): string {
  if (value === undefined) return MISSING;
  if (value === null) return 'null';
  if (typeof value === 'number') return decimals.format(value);
  if (typeof value === 'string') return value === '' ? '""' : value;
  return jsonText(value);
}
