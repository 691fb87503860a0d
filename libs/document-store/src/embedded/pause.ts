import { setImmediate } from 'node:timers/promises';

const MAX_BUSY_MS = 5;

/** Lets other work of the event loop run when this work has kept it busy for 5 ms. */
export type Pause = () => Promise<void> | undefined;

export function createPause(): Pause {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_BUSY_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
