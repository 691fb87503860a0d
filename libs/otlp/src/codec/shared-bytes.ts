import type { Attributes } from '../messages.js';
import { MAX_SHARED_BYTES, tooMuchShared } from '../limits.js';

/**
 * Counts the bytes of resource and scope attributes once per span, so that a small body cannot grow into a
 * huge batch.
 */
export class SharedBytes {
  private total = 0;

  /** @throws AppError PAYLOAD_TOO_LARGE when the budget of the request is exhausted */
  add(attributes: Attributes, spans: number): void {
    if (attributes.size === 0 || spans < 2) return;
    this.total += JSON.stringify([...attributes]).length * spans;
    if (this.total > MAX_SHARED_BYTES) throw tooMuchShared();
  }
}
