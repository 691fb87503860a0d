import { AppError } from '@assay/errors';
import { describeCause } from '../log/logger.js';
import { retry } from '../retry/retry.js';
import type { RunningService } from './run-service.js';
import { ShutdownStack } from './shutdown-stack.js';

export interface StartOptions extends Pick<RunningService, 'logger' | 'closeWithinMs'> {
  /** How long the start is retried while a dependency is unavailable, in milliseconds. */
  readonly startWithinMs?: number;
  /** Delay before the first retry, in milliseconds; doubles with each retry up to 5 s. */
  readonly retryAfterMs?: number;
}

const START_WITHIN_MS = 60_000;
const RETRY_AFTER_MS = 250;
const MAX_RETRY_AFTER_MS = 5_000;

/**
 * Opens the parts of a process one after the other; `open` registers on the stack how each is closed. When a part fails to
 * open, closes those before it. Retries the start while a dependency is unavailable (`UNAVAILABLE`), because engines and
 * services start in any order. Rejects with any other failure.
 */
export async function startWithRetry(
  options: StartOptions,
  open: (shutdown: ShutdownStack) => Promise<void>,
): Promise<RunningService> {
  const { logger, closeWithinMs, startWithinMs = START_WITHIN_MS } = options;
  const deadline = performance.now() + startWithinMs;
  const shutdown = await retry(() => openOrClose(new ShutdownStack(logger), open), {
    delaysMs: startDelays(options, deadline),
    isRetryable: isUnavailable,
    onRetry: (error) => logger.warn('dependency unavailable, retrying the start', describeCause(error)),
  });
  return { logger, closeWithinMs, close: () => shutdown.close() };
}

async function openOrClose(
  shutdown: ShutdownStack,
  open: (shutdown: ShutdownStack) => Promise<void>,
): Promise<ShutdownStack> {
  try {
    await open(shutdown);
    return shutdown;
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

/** Yields delays until the next one would end after the deadline. */
function* startDelays(options: StartOptions, deadline: number): Generator<number> {
  const { retryAfterMs = RETRY_AFTER_MS } = options;
  for (
    let delayMs = retryAfterMs;
    performance.now() + delayMs <= deadline;
    delayMs = Math.min(2 * delayMs, MAX_RETRY_AFTER_MS)
  )
    yield delayMs;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAVAILABLE';
}
