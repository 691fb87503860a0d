import type { LogEpoch } from '@assay/event-store';

/** Returns a recorded epoch with the first offset and the position of each partition, from partition 0 on. */
export function epochOf(
  epoch: number,
  log: string,
  ...partitions: [first: number, position: number][]
): LogEpoch {
  const entries = partitions.map(([first, position], partition) => [partition, { first, position }] as const);
  return { epoch, log, partitions: new Map(entries) };
}

/** Returns the ends of a log's partitions, from partition 0 on. */
export function offsets(...ends: number[]): Map<number, number> {
  return new Map(ends.entries());
}
