import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@assay/runtime';
import { engineCode } from '../sql/engine/engine-failure.js';

const MAX_BACKOFF_MS = 10_000;
const UNKNOWN_DATABASE = 81;

/**
 * Starts the merges of a table again. While they are stopped, parts accumulate until the engine accepts no further inserts.
 * A failure is therefore retried until `signal` aborts, unless the database is gone.
 */
export async function restartMerges(
  start: () => Promise<unknown>,
  signal: AbortSignal,
  maxBackoffMs = MAX_BACKOFF_MS,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await start();
      return;
    } catch (error) {
      if (signal.aborted || engineCode(error) === UNKNOWN_DATABASE) return;
    }
    const backoff = backoffMs(attempt, Math.random(), maxBackoffMs);
    await delay(backoff, undefined, { signal }).catch(() => undefined);
  }
}
