/** Runs a task without interruption. */
export function runSync<T>(task: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
  }
}
