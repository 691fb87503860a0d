/** Ends the engines of this test run. Setup and teardown are two files of one process; this is what they share. */
let stopEngines: (() => Promise<void>) | undefined;

export function keepRunning(stop: () => Promise<void>): void {
  stopEngines = stop;
}

export async function stopRunning(): Promise<void> {
  await stopEngines?.();
  stopEngines = undefined;
}
