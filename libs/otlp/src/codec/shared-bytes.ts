import type { Attributes } from '../messages.js';
import { MAX_SHARED_BYTES, tooMuchShared } from './limits.js';

/**
 * Counts what the attributes of resources and scopes take once every span carries them: a small body must not grow into a
 * huge batch.
 */
export class SharedBytes {
  private total = 0;

  /** @throws AppError PAYLOAD_TOO_LARGE when the request's budget is spent. */
  add(attributes: Attributes, spans: number): void {
    if (attributes.size === 0 || spans < 2) return;
    this.total += JSON.stringify([...attributes]).length * spans;
    if (this.total > MAX_SHARED_BYTES) throw tooMuchShared();
  }
}
