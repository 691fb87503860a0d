import type { ConsumedRecord } from './event-log.js';

/** Maximum records of a batch, and maximum bytes of its values. */
export interface BatchLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/**
 * Returns the index after the last record of the batch that starts at `start`. A batch has at least one
 * record.
 */
export function cutBatch(
  records: readonly ConsumedRecord[],
  start: number,
  { maxRecords, maxBytes }: BatchLimits,
): number {
  let bytes = 0;
  let end = start;
  while (end < records.length && end - start < maxRecords) {
    bytes += records[end]?.value.length ?? 0;
    if (end > start && bytes > maxBytes) return end;
    end += 1;
  }
  return end;
}
