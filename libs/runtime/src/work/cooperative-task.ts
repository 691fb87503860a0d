/** Asked between parts of long work. Undefined: go on; else it resolves when it is time to go on. */
export type YieldToEventLoop = () => Promise<void> | undefined;

/** Long work on the event loop that yields wherever it may be interrupted, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Carries work out in pieces: nothing is done between asking for a pause and its end. Rejects with what the work throws. */
export async function runCooperatively<T>(work: Steps<T>, pause: YieldToEventLoop): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
}

/** Carries work out in one go. @throws what the work throws */
export function runSync<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
