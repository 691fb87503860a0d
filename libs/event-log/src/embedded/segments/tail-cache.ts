import type { ConsumedRecord } from '../../event-log.js';
import { BATCH_BYTES } from './batch.js';
import type { EncodedBatch } from './encode-group.js';

/** Bounds the objects of many small batches. */
const MAX_BATCHES = 16_384;

/**
 * Records of the last appended batches, so that consumers without lag neither read the file nor decode it. The values are
 * views of the bytes that were written. Evicts the oldest batches beyond its bound.
 */
export class TailCache {
  private batches: EncodedBatch[] = [];
  private bytes = 0;

  /** @param maxBytes maximum bytes of the batches */
  constructor(private readonly maxBytes: number) {}

  /** Adds the batches of one group, which are durable. A batch without {@link EncodedBatch.records} leaves a gap. */
  add(group: readonly EncodedBatch[]): void {
    for (const batch of group) if (batch.records.length > 0) this.push(batch);
  }

  /** The records from `offset` on, up to about {@link BATCH_BYTES}; undefined when the offset is not held. */
  read(offset: number): readonly ConsumedRecord[] | undefined {
    const index = this.indexOf(offset);
    const first = this.batches[index];
    if (first === undefined || offset < first.firstOffset || offset >= endOf(first)) return undefined;
    const { records } = first;
    const found = offset === first.firstOffset ? [...records] : records.slice(offset - first.firstOffset);
    let { bytes } = first;
    for (let next = index + 1; next < this.batches.length; next += 1) {
      const batch = this.batches[next];
      bytes += batch?.bytes ?? 0;
      if (batch === undefined || batch.firstOffset !== offset + found.length || bytes > BATCH_BYTES) break;
      for (const record of batch.records) found.push(record);
    }
    return found;
  }

  /** Drops the batches whose records are all before `offset`: every consumer has read them. */
  dropBefore(offset: number): void {
    let count = 0;
    for (const batch of this.batches) {
      if (endOf(batch) > offset) break;
      count += 1;
    }
    this.drop(count);
  }

  private push(batch: EncodedBatch): void {
    this.batches.push(batch);
    this.bytes += batch.bytes;
    if (this.bytes <= this.maxBytes && this.batches.length <= MAX_BATCHES) return;
    // Evicts half of the entries, so that the array is rarely moved.
    this.drop(Math.ceil(this.batches.length / 2));
  }

  private drop(count: number): void {
    for (const { bytes } of this.batches.splice(0, count)) this.bytes -= bytes;
  }

  /** Index of the last batch that starts at or before `offset`; 0 without one. */
  private indexOf(offset: number): number {
    let low = 0;
    let high = this.batches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.batches[middle]?.firstOffset ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function endOf({ firstOffset, records }: EncodedBatch): number {
  return firstOffset + records.length;
}
