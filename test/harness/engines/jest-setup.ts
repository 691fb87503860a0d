import { startEngines } from './start-engines.js';

/** Stops the engines that this test run has started. */
let stopEngines: (() => Promise<void>) | undefined;

/** jest's global setup: starts the engines that the environment does not name. */
export async function startBeforeTests(): Promise<void> {
  stopEngines = await startEngines();
}

/** jest's global teardown. */
export async function stopAfterTests(): Promise<void> {
  await stopEngines?.();
  stopEngines = undefined;
}
