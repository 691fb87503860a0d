import { MISSING } from './number.js';

/** Returns a duration with three significant digits: `412 ms`, `2.41 s`, `3 m 12 s`, `2 h 5 m`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return MISSING;
  const sign = ms < 0 ? '−' : '';
  const size = Math.abs(ms);
  if (size < 999.5) return `${sign}${Number(size.toPrecision(3))} ms`;
  if (size < 59_950) return `${sign}${(size / 1_000).toPrecision(3)} s`;
  const seconds = Math.round(size / 1_000);
  if (seconds < 3_600) return `${sign}${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${sign}${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
