/** Received bytes that are not consumed yet. Chunks are joined once enough of them have arrived, however small they are. */
export class ByteQueue {
  length = 0;
  isEnded = false;
  private chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.chunks.push(chunk);
    this.length += chunk.length;
  }

  /** Removes and returns the first bytes. There must be so many. */
  take(count: number): Buffer {
    const [first] = this.chunks;
    if (first === undefined || first.length < count) this.chunks = [Buffer.concat(this.chunks, this.length)];
    const whole = this.chunks[0] ?? Buffer.alloc(0);
    this.chunks[0] = whole.subarray(count);
    if (this.chunks[0].length === 0) this.chunks.shift();
    this.length -= count;
    return whole.subarray(0, count);
  }

  /** Removes up to so many bytes and returns their number. */
  skip(count: number): number {
    let left = count;
    for (let [chunk] = this.chunks; chunk !== undefined && left > 0; [chunk] = this.chunks) {
      if (chunk.length > left) {
        this.chunks[0] = chunk.subarray(left);
        left = 0;
      } else {
        this.chunks.shift();
        left -= chunk.length;
      }
    }
    this.length -= count - left;
    return count - left;
  }
}
