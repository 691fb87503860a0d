import type { ConsumedRecord } from '../../event-log.js';
import { BATCH_BYTES, decodeBatch } from './batch.js';
import type { EncodedBatch } from './encode-group.js';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_BATCHES = 4096;

/** Cache of the last appended batches, so that consumers without lag do not read the file. */
export class TailCache {
  private batches: EncodedBatch[] = [];
  private bytes = 0;

  /** Adds the batches of one group. A large batch is not cached, and clears the cache. */
  add(group: readonly EncodedBatch[]): void {
    for (const batch of group) {
      if (batch.bytes > BATCH_BYTES) this.clear();
      else if (batch.count > 0) this.push(batch);
    }
  }

  /** The records from `offset` on, up to about {@link BATCH_BYTES}; undefined when the offset is not held. */
  read(offset: number): ConsumedRecord[] | undefined {
    const first = this.batches[0];
    if (first === undefined || offset < first.firstOffset) return undefined;
    const records: ConsumedRecord[] = [];
    let bytes = 0;
    for (let index = this.indexOf(offset); index < this.batches.length; index += 1) {
      const batch = this.batches[index];
      const [source] = batch?.buffers ?? [];
      bytes += batch?.bytes ?? 0;
      if (batch === undefined || source === undefined || (records.length > 0 && bytes > BATCH_BYTES)) break;
      decodeBatch(source, batch, records);
    }
    return records;
  }

  clear(): void {
    this.batches = [];
    this.bytes = 0;
  }

  private push(batch: EncodedBatch): void {
    this.batches.push(batch);
    this.bytes += batch.bytes;
    if (this.bytes <= MAX_BYTES && this.batches.length <= MAX_BATCHES) return;
    // Evicts half of the entries, so that the array is rarely moved.
    const dropped = this.batches.splice(0, Math.ceil(this.batches.length / 2));
    for (const { bytes } of dropped) this.bytes -= bytes;
  }

  /** Index of the batch that holds `offset`. */
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
