/** Bytes of a buffer that is used again: a request of the accumulator, with room for keys, headers and framing. */
const REUSED_BYTES = 1_280 * 1024;
/** One request is in flight for each broker; further buffers are not kept. */
const MAX_FREE = 4;

const free: Buffer[] = [];

/**
 * Memory of the requests to brokers. A new buffer for each request would be returned only by the garbage collection of
 * the whole heap, and the bytes of buffers are what starts that.
 */
export const requestBuffers = {
  /** Returns a buffer of exactly this size, whose content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > REUSED_BYTES) return Buffer.allocUnsafeSlow(bytes);
    return (free.pop() ?? Buffer.allocUnsafeSlow(REUSED_BYTES)).subarray(0, bytes);
  },

  /**
   * Keeps the memory of a buffer of {@link requestBuffers.take} for another request. Only for a request that was
   * answered: then its bytes have been sent. Another one may still be in the queue of a socket, also after it has failed.
   */
  release({ buffer }: Buffer): void {
    if (buffer.byteLength === REUSED_BYTES && free.length < MAX_FREE) free.push(Buffer.from(buffer));
  },
};
