import type { Rejected } from '../messages.js';
import { BrokenSpan } from './broken-span.js';

/** Collects what was refused while a request is decoded. */
export class Rejections {
  private count = 0;
  private firstReason = '';

  add(reason: string, spans = 1): void {
    this.firstReason ||= spans > 0 ? reason : '';
    this.count += spans;
  }

  /** Runs `decode`; a broken span counts as rejected at `path` and gives undefined, every other failure passes. */
  guard<T>(path: () => string, decode: () => T, spans = 1): T | undefined {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof BrokenSpan)) throw error;
      this.add(`${path()}: ${error.message}`, spans);
      return undefined;
    }
  }

  /** The count and a message with the first reason; an empty message when nothing was refused. */
  result(): Rejected {
    if (this.count === 0) return { count: 0, message: '' };
    const subject =
      this.count === 1 ? '1 span rejected' : `${this.count} spans rejected, the first because of`;
    return { count: this.count, message: `${subject}: ${this.firstReason}` };
  }
}
