import { formatScore, MISSING } from '../format/number.js';

/** A score: a number, or whether it passed. */
export function printScore(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? formatScore(value) : MISSING;
}
