/** Bytes between two entries. */
const INTERVAL_BYTES = 64 * 1024;

/**
 * Offset → position for some batches of a segment. It lives in memory, grows with appends and lookups, and is
 * not needed for correctness: a lookup scans batch headers from the nearest entry.
 */
export class SparseIndex {
  private readonly offsets: number[];
  private readonly positions: number[];

  constructor(firstOffset: number, firstPosition: number) {
    this.offsets = [firstOffset];
    this.positions = [firstPosition];
  }

  /** Notes where the batch with this first offset starts, when the last entry is far enough before it. */
  note(offset: number, position: number): void {
    const last = this.positions.length - 1;
    if (offset <= (this.offsets[last] ?? 0) || position - (this.positions[last] ?? 0) < INTERVAL_BYTES)
      return;
    this.offsets.push(offset);
    this.positions.push(position);
  }

  /** Position of a batch whose first offset is at most `offset`, as near as known. */
  floor(offset: number): number {
    let low = 0;
    let high = this.offsets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.offsets[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.positions[low] ?? 0;
  }
}
