import { MISSING } from './number.js';

/** Returns US dollars: cents above one cent, two significant digits below. */
export function formatCost(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (value === 0) return '$0';
  const digits = Math.abs(value) >= 0.01 ? 2 : 1 - Math.floor(Math.log10(Math.abs(value)));
  return `${value < 0 ? '−' : ''}$${Math.abs(value).toFixed(Math.min(digits, 12))}`;
}
