/** Work that may be interrupted between its steps, and its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** A result that is known immediately, or the steps that lead to it. */
export type MaybeSteps<T extends string | undefined> = T | Steps<T>;

/** Continues with the result of what may take steps, in those steps. */
export function* inSteps<T extends string | undefined>(result: MaybeSteps<T>): Steps<T> {
  return typeof result === 'object' ? yield* result : result;
}

/** Returns the result of what may take steps, without interruption. */
export function finishSync<T extends string | undefined>(result: MaybeSteps<T>): T {
  return typeof result === 'object' ? runSteps(result) : result;
}

/** Returns the result of steps, without interruption. @throws what they throw */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
