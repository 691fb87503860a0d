import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog, LogRecord } from '@assay/event-log';
import { backoffMs, type Logger } from '@assay/runtime';

const MAX_BACKOFF_MS = 10_000;

/** Appends the results of evaluations, and retries until they are durable. Rejects only when `stopping` has aborted. */
export async function appendDurably(
  records: readonly LogRecord[],
  { log, logger }: { readonly log: Pick<EventLog, 'append'>; readonly logger: Logger },
  stopping: AbortSignal,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await log.append(records);
    } catch (error) {
      stopping.throwIfAborted();
      logger.warn('the results of evaluations cannot be appended, retrying', {}, error);
      await delay(backoffMs(attempt, Math.random(), MAX_BACKOFF_MS), undefined, { signal: stopping });
    }
  }
}
