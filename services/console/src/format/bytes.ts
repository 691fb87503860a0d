import { MISSING } from './number.js';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Returns a size with units of 10³ bytes. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return MISSING;
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${UNITS[unit]}`;
}
