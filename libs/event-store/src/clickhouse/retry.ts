import { setTimeout as delay } from 'node:timers/promises';
import { isRetryable } from '@assay/errors';

/** Waits between the tries of one call, milliseconds: one try more than there are waits. */
const WAITS_MS = [100, 500];

/** Calls again what failed in passing, a bounded number of times; the last failure is the caller's. */
export async function withRetries<Result>(call: () => Promise<Result>): Promise<Result> {
  for (const waitMs of WAITS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await delay(waitMs);
    }
  }
  return call();
}
