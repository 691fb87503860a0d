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
    return rejectedSpans(this.count, this.firstReason);
  }
}

/** Describes rejected spans by the reason of the first; empty without any. */
export function rejectedSpans(count: number, firstReason: string): Rejected {
  if (count === 0) return { count: 0, message: '' };
  const subject = count === 1 ? '1 span rejected' : `${count} spans rejected, the first because of`;
  return { count, message: `${subject}: ${firstReason}` };
}

/** Adds up what two steps rejected, with both reasons. */
export function combineRejected(one: Rejected, other: Rejected): Rejected {
  const messages = [one.message, other.message].filter((message) => message !== '');
  return { count: one.count + other.count, message: messages.join('; ') };
}
