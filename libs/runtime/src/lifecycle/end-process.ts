/** Shuts the process down in order: throws the error outside of every caller, as an uncaught exception. */
export function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
