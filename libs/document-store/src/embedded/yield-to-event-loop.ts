import { setImmediate } from 'node:timers/promises';

const MAX_BUSY_MS = 5;

/** Yields to the event loop if this task has run for 5 ms without yielding. */
export type YieldToEventLoop = () => Promise<void> | undefined;

export function createYieldToEventLoop(): YieldToEventLoop {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_BUSY_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
