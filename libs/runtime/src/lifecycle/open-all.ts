import { Closing } from './closing.js';
import type { RunOptions, Running } from './run-service.js';

/**
 * Opens the parts of a process, one after the other; each registers how it is closed. When one cannot be opened, those before it are closed
 * again before the failure is passed on.
 */
export async function openAll(options: RunOptions, open: (closing: Closing) => Promise<void>): Promise<Running & RunOptions> {
  const closing = new Closing(options.logger);
  try {
    await open(closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
  return { ...options, close: () => closing.close() };
}
