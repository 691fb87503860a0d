import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@assay/errors';
import { describeCause } from '../log/logger.js';
import { ShutdownStack } from './shutdown-stack.js';
import type { RunOptions, Running } from './run-service.js';

export interface StartOptions extends RunOptions {
  /** How long a start is tried again while something that it needs cannot be reached, in milliseconds. */
  readonly startWithinMs?: number;
  /** Wait before the second try, in milliseconds; doubles with each one up to 5 s. */
  readonly retryAfterMs?: number;
}

const START_WITHIN_MS = 60_000;
const RETRY_AFTER_MS = 250;
const MAX_RETRY_AFTER_MS = 5_000;

/**
 * Opens the parts of a process, one after the other; each registers how it is closed. When one cannot be opened, those before it are closed
 * again. The failure is passed on, unless it says that something cannot be reached (`UNAVAILABLE`): engines and services start in any order,
 * so that start is tried again for a while.
 */
export async function startWithRetry(
  options: StartOptions,
  open: (closing: ShutdownStack) => Promise<void>,
): Promise<Running & RunOptions> {
  const { startWithinMs = START_WITHIN_MS, retryAfterMs = RETRY_AFTER_MS, ...runOptions } = options;
  const deadline = performance.now() + startWithinMs;
  for (let wait = retryAfterMs; ; wait = Math.min(2 * wait, MAX_RETRY_AFTER_MS)) {
    const closing = new ShutdownStack(options.logger);
    try {
      await open(closing);
      return { ...runOptions, close: () => closing.close() };
    } catch (error) {
      await closing.close();
      if (!isUnreachable(error) || performance.now() + wait > deadline) throw error;
      options.logger.warn('the start is tried again', describeCause(error));
    }
    await pause(wait);
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAVAILABLE';
}
