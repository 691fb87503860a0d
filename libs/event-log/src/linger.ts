import type { ReadOptions } from './event-log.js';

/** Returns the time between the starts of two batches that applies now, in milliseconds. */
export function lingerMsOf({ lingerMs }: Pick<ReadOptions, 'lingerMs'>): number {
  return typeof lingerMs === 'number' ? lingerMs : lingerMs();
}
