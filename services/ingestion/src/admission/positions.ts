import type { LogPosition } from '@assay/event-log';

/** Returns whether a position is at or beyond another one in every partition. */
export function hasPassed(position: LogPosition, target: LogPosition): boolean {
  return [...target].every(([partition, offset]) => (position.get(partition) ?? 0) >= offset);
}

/** Returns whether a position has advanced in a partition in which it had not passed the target. */
export function advancesTo(target: LogPosition, from: LogPosition, to: LogPosition): boolean {
  return [...target].some(([partition, offset]) => {
    const before = from.get(partition) ?? 0;
    return before < offset && (to.get(partition) ?? 0) > before;
  });
}
