import type { ConsumedRecord } from './event-log.js';

/** Where a batch is cut: after this many records, or once its values reach this many bytes. */
export interface BatchLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/** The place after the last record of the batch that starts at `start`; at least one record unless there is none. */
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
