import { setTimeout } from 'node:timers/promises';
import { PassingError } from '../cli-error.js';
import type { Output } from '../output.js';

/** After so long without a success the failure is reported. */
const MAX_WAIT_MS = 10 * 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * Repeats a request that the server refuses for the moment (429, 503) or that does not reach it, as it asks for.
 * @throws the last error after 10 minutes, and every other one
 */
export async function patiently<T>(output: Output, request: () => Promise<T>): Promise<T> {
  const end = Date.now() + MAX_WAIT_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof PassingError) || Date.now() > end) throw error;
      if (attempt === 0) output.progress(`waiting: ${error.message}`);
      const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
      await setTimeout(Math.max(error.retryAfterMs ?? 0, delay));
    }
  }
}
