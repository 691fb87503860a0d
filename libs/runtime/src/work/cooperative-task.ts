import { setImmediate } from 'node:timers/promises';

/** Called between the steps of a long task. Returns undefined to continue, else a promise that resolves when the task may continue. */
export type YieldToEventLoop = () => Promise<void> | undefined;

/** A long synchronous task that yields wherever it may be interrupted, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs a task and yields to the event loop between its steps when asked to. Rejects with what the task throws. */
export async function runCooperatively<T>(task: Steps<T>, yieldToEventLoop: YieldToEventLoop): Promise<T> {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
    const turn = yieldToEventLoop();
    if (turn !== undefined) await turn;
  }
}

/** Runs a task without interruption. @throws what the task throws */
export function runSync<T>(task: Steps<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
  }
}

/** Maps a list in steps: yields before each item. */
export function* mapSteps<T, R>(items: readonly T[], map: (item: T, index: number) => R): Steps<R[]> {
  const mapped: R[] = [];
  for (const [index, item] of items.entries()) {
    yield;
    mapped.push(map(item, index));
  }
  return mapped;
}

/** Milliseconds that a task runs without yielding. */
const MAX_BUSY_MS = 5;

/** Returns a function that yields to the event loop when the task has run for 5 ms since the last time. */
export function createYieldToEventLoop(): YieldToEventLoop {
  let since = performance.now();
  return () => {
    if (performance.now() - since < MAX_BUSY_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
