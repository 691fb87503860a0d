import { totalmem } from 'node:os';

/** Memory of the machine, or of the container when that is less, in bytes. */
export function usableMemory(): number {
  // 0 when the limit is unknown.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
