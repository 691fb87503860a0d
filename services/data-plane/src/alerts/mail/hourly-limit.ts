import { LRUCache } from 'lru-cache';

const HOUR_MS = 3_600_000;
const MAX_PROJECTS = 10_000;

interface Allowance {
  readonly left: number;
  /** Unix milliseconds. */
  readonly at: number;
}

/**
 * Returns a function that takes one of so many an hour of a project: all of them may be taken together, then one becomes free each
 * hour / `perHour`. It returns false when none is left.
 */
export function makeHourlyLimit(perHour: number, now: () => number): (projectId: string) => boolean {
  const allowances = new LRUCache<string, Allowance>({ max: MAX_PROJECTS });
  return function take(projectId) {
    const at = now();
    const { left: before, at: since } = allowances.get(projectId) ?? { left: perHour, at };
    const earned = (Math.max(0, at - since) / HOUR_MS) * perHour;
    const left = Math.min(perHour, before + earned);
    const isFree = left >= 1;
    allowances.set(projectId, { left: isFree ? left - 1 : left, at });
    return isFree;
  };
}
