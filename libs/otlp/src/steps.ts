/** Long work that yields wherever it may be interrupted, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Carries work out in one go. @throws what the work throws */
export function runSync<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
