import { setTimeout as delay } from 'node:timers/promises';
import { isRetryable as isRetryableError } from '@assay/errors';

export interface RetryOptions {
  /** Delay before each retry, in milliseconds. The number of retries is that of the delays. Read as needed. */
  readonly delaysMs: Iterable<number>;
  /** Whether a failure may be retried; retryable errors by default. */
  readonly isRetryable?: (error: unknown) => boolean;
  /** Called before the delay of each retry. */
  readonly onRetry?: (error: unknown) => void;
}

/** Calls an operation until it succeeds. Rejects with its last failure. */
export async function retry<Result>(call: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { isRetryable = isRetryableError, onRetry } = options;
  const delays = options.delaysMs[Symbol.iterator]();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const next = isRetryable(error) ? delays.next() : undefined;
      if (next === undefined || next.done === true) throw error;
      onRetry?.(error);
      await delay(next.value);
    }
  }
}
