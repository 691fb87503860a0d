import { setTimeout } from 'node:timers/promises';
import { isBusy } from './sqlite-error.js';

const MAX_WAIT_MS = 10_000;
const RETRY_INTERVAL_MS = 10;

/**
 * Retries while another process holds a lock, for at most 10 s. SQLite's own wait would block the thread of
 * the event loop.
 */
export async function retryWhileBusy<T>(action: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await setTimeout(RETRY_INTERVAL_MS);
    }
  }
}
