import type { Rejected } from '../messages.js';
import { BrokenSpan } from './broken-span.js';

/** Collects rejected spans while a request is decoded. */
export class Rejections {
  private count = 0;
  private firstReason = '';

  add(reason: string, spans = 1): void {
    this.firstReason ||= spans > 0 ? reason : '';
    this.count += spans;
  }

  /**
   * Runs `decode`. A BrokenSpan is counted as rejected at `path` and returns undefined; other errors
   * propagate.
   */
  guard<T>(path: () => string, decode: () => T, spans = 1): T | undefined {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof BrokenSpan)) throw error;
      this.add(`${path()}: ${error.message}`, spans);
      return undefined;
    }
  }

  /** Number of rejected spans and a message with the first reason; empty when none was rejected. */
  result(): Rejected {
    if (this.count === 0) return { count: 0, message: '' };
    const subject =
      this.count === 1 ? '1 span rejected' : `${this.count} spans rejected, the first because of`;
    return { count: this.count, message: `${subject}: ${this.firstReason}` };
  }
}
