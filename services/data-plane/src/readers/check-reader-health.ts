import { unavailable } from '@assay/errors';
import type { ConsumerLoop } from '@assay/event-log';

/** A reader that has not asked the log for so long is taken as stuck. */
const STUCK_AFTER_MS = 30_000;

/**
 * Resolves while a reader turns, also while it waits for something that is away.
 * @throws AppError `UNAVAILABLE` when it is stuck, or has stopped because too many records failed for good
 */
export function checkReaderHealth(loop: Pick<ConsumerLoop, 'braked' | 'idleMs'>): Promise<void> {
  if (loop.braked())
    return Promise.reject(unavailable('the reader has stopped: too many records failed for good'));
  if (loop.idleMs() > STUCK_AFTER_MS) return Promise.reject(unavailable('the reader is stuck'));
  return Promise.resolve();
}
